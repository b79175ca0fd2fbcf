import { transform } from 'esbuild';

/**
 * Minifies CSS without using anything newer than mail programs know: no `#rrggbbaa`, no `inset`, no nesting.
 *
 * @throws Error with esbuild's list of line, column and mistake
 */
export async function minifyCss(css: string): Promise<string> {
  const { code } = await transform(css, {
    loader: 'css',
    minify: true,
    target: ['chrome58', 'safari10'],
    logLevel: 'silent',
  });
  return code.trim();
}

/** Minifies every style sheet in an HTML document. (`mjml` would need cssnano for it, which npm does not install for it.) */
export async function minifyStyles(html: string): Promise<string> {
  const parts = html.split(/(<style[^>]*>)([\s\S]*?)(<\/style>)/);
  for (let index = 2; index < parts.length; index += 4) parts[index] = await minifyCss(parts[index] ?? '');
  return parts.join('');
}
