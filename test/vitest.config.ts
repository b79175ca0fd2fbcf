import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TEST_SECRETS } from './support/secrets.ts';

const root = resolve(import.meta.dirname, '..');
// Whom workerd trusts besides the public authorities: the mail servers of the tests speak TLS. Miniflare reads it when it
// is loaded, so that comes after.
process.env.NODE_EXTRA_CA_CERTS = resolve(import.meta.dirname, 'support/tls/authority.pem');
const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-plugin');

export default defineConfig({
  test: {
    // A STARTTLS handshake that fails leaves one more rejected promise inside workerd's node:tls, which nobody can reach; what
    // is ours to hear of it, transport-smtp.test.ts checks.
    onUnhandledError: ({ message }) => !/^internal error; reference = \w+$/.test(message),
    maxWorkers: 2,
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
              email: { send_email: [{ name: 'EMAIL' }] },
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
          globalSetup: ['test/setup-sinks.ts'],
          setupFiles: ['test/setup-worker.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
