import { join } from 'node:path';
import { build } from 'esbuild';

/** A module of this folder as JavaScript; where it imports src/worker.ts, the deployed bundle is imported instead. */
export async function compileModule(name: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, name)],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    plugins: [
      {
        name: 'deployed-bundle',
        setup: ({ onResolve }) => {
          onResolve({ filter: /\/src\/worker\.ts$/ }, () => ({ path: './broadside.js', external: true }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}
