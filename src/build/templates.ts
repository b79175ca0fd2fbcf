import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Compiled, emitTemplates } from './template-code.ts';
import { minifyCss } from './template-css.ts';
import { checkNoneLost, lintSource, parseTags, type Tag } from './template-lint.ts';
import { renderMjml } from './template-mjml.ts';
import { checkConstants, type Direction, readSources } from './template-source.ts';
import { checkValues } from './template-values.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const TEMPLATES = resolve(ROOT, 'templates');
const GENERATED = resolve(ROOT, 'src/render/templates.gen.ts');

async function compileTemplate(path: string, direction: Direction): Promise<Compiled> {
  const sources = readSources(path);
  for (const source of sources) checkConstants(source);
  const tags = sources.flatMap(lintSource);
  const html = await renderMjml(sources[0] ?? { path, text: '' }, direction);
  checkNoneLost(tags, html);
  const name = path.replace(/^.*[\\/]|\.mjml$/g, '');
  return { name, direction, program: parseTags(html, path), tags };
}

/**
 * The text of `templates.gen.ts`: every MJML template of a folder in both directions, and its `page.css`.
 *
 * @throws Error that names file and line of a mistake, and what is allowed there
 */
export async function generate(folder: string): Promise<string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjml'));
  const compiled: Compiled[] = [];
  for (const file of files.sort()) {
    for (const direction of ['ltr', 'rtl'] as const)
      compiled.push(await compileTemplate(resolve(folder, file), direction));
  }
  const header = '// Made by src/build/templates.ts from templates/; change those and run it again.\n';
  return `${header}${emitTemplates(compiled)}\n${await emitPageCss(resolve(folder, 'page.css'))}`;
}

/** The pages' style sheet and its hash as a Content-Security-Policy source (CSP Level 3, section 2.3.1). */
async function emitPageCss(path: string): Promise<string> {
  const css = existsSync(path) ? await minifyCss(readFileSync(path, 'utf8')) : '';
  const hash = createHash('sha256').update(css).digest('base64');
  return `export const pageCss: string = ${JSON.stringify(css)};\n\nexport const pageCssHash: string = 'sha256-${hash}';\n`;
}

/** Every tag of a folder's templates, partials included. */
function tagsOf(folder: string): Tag[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjml'));
  return files.flatMap((file) => readSources(resolve(folder, file)).flatMap(lintSource));
}

async function main(check: boolean): Promise<void> {
  const text = await generate(TEMPLATES);
  const current = existsSync(GENERATED) ? readFileSync(GENERATED, 'utf8') : '';
  if (check && text !== current) {
    throw new Error(
      'src/render/templates.gen.ts is older than templates/: run node src/build/templates.ts and commit it',
    );
  }
  if (text !== current) {
    // What is wrong is not written: a running Worker keeps the templates it has.
    checkValues(text, GENERATED, tagsOf(TEMPLATES));
    writeFileSync(GENERATED, text);
  }
  const state = text === current ? 'is up to date' : 'written';
  console.info(`templates: src/render/templates.gen.ts ${state} (${Math.ceil(text.length / 1024)} KB)`);
}

if (import.meta.main) {
  await main(process.argv.includes('--check')).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
