import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseWebhookBody } from '../../src/domain/webhook.ts';
import { EXAMPLES } from '../../src/http/openapi-examples.ts';
import { articleData, publicationData } from '../support/content.ts';
import { TEST_SECRETS } from '../support/secrets.ts';
import { type Server, startServer } from '../support/server.ts';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const run = promisify(execFile);

/** The code block of the README that begins with a line. */
function block(firstLine: string): string {
  const [, code] = readme.split(new RegExp(`\`\`\`\\w+\\n${firstLine.replaceAll('.', '\\.')}.*\\n`));
  const end = code?.indexOf('\n```') ?? -1;
  if (code === undefined || end < 0) throw new Error(`README.md has no code that begins with ${firstLine}`);
  return code.slice(0, end);
}

describe('the callers in README.md', () => {
  let server: Server;
  let folder: string;
  beforeAll(async () => {
    server = await startServer();
    folder = mkdtempSync(join(tmpdir(), 'broadside-readme-'));
    await server.call('publication.updated', publicationData());
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['sign.sh', '# sign.sh', 'sh'],
    ['sign.mjs', '// sign.mjs', process.execPath],
  ])('%s signs as Standard Webhooks does, whatever is in the body', async (name, firstLine, command) => {
    const data = articleData(name, { title: `Ünïcode “quotes” & $HOME \`ticks\` from ${name}` });
    const body = JSON.stringify({ type: 'article.published', timestamp: '2026-06-12T12:00:00Z', data }, null, 1);
    writeFileSync(join(folder, name), block(firstLine));
    writeFileSync(join(folder, 'body.json'), `${body}\n`);
    const [secret = ''] = TEST_SECRETS.WEBHOOK_SECRETS.split(',');
    const options = { cwd: folder, env: { ...process.env, SECRET: secret } };
    const { stdout } = await run(command, [name, `${server.base}webhooks`, 'body.json'], options);
    expect(stdout).toContain('"outcome":"created"');
    const forged = { ...options, env: { ...options.env, SECRET: `whsec_${btoa('another secret of 24 bytes')}` } };
    const refused = await run(command, [name, `${server.base}webhooks`, 'body.json'], forged);
    expect(refused.stdout).toContain('matches none of the secrets');
  });
});

test.each(EXAMPLES)('the example of openapi.json to $summary is a valid call', ({ value }) => {
  expect(parseWebhookBody(value)).toEqual({ body: expect.objectContaining({ type: value.type }) });
});
