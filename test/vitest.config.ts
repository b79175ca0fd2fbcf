import { resolve } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { TEST_SECRETS } from './support/secrets.ts';

const root = resolve(import.meta.dirname, '..');

export default defineConfig({
  test: {
    reporters: ['default', resolve(import.meta.dirname, 'support/summary-reporter.ts')],
    projects: [
      // Pure code shares nothing, so its files may share a worker.
      { root, test: { name: 'unit', include: ['test/unit/**/*.test.{ts,tsx}'], isolate: false } },
      {
        root,
        test: { name: 'browser', include: ['test/browser/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        root,
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: resolve(root, 'wrangler.toml') },
            miniflare: {
              bindings: {
                ...TEST_SECRETS,
                TEST_MIGRATIONS: await readD1Migrations(resolve(root, 'src/store/migrations')),
              },
            },
          })),
        ],
        test: {
          name: 'worker',
          include: ['test/worker/**/*.test.ts'],
          setupFiles: ['test/setup-worker.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
