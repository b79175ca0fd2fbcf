import { parseArgs } from 'node:util';
import { type ContentCall, readContent } from './content.ts';
import { run, UserError } from './fault.ts';
import { baseOf } from './local.ts';
import { callWebhook, type WebhookResponse } from './webhook-client.ts';

/**
 * Publishes a folder: posts its settings and every article through the webhook and prints a line for each. What is
 * there already is left alone by the Worker, so this may be run at any time.
 * @throws UserError when a file cannot be read (nothing was sent) or the Worker refused some (the rest was published)
 */
export async function publishFolder(folder: string, base: string): Promise<void> {
  const { publication, articles, drafts } = readContent(folder);
  const failed: string[] = [];
  for (const call of [publication, ...articles]) {
    const faults = report(call, await callWebhook(base, call.type, call.data));
    failed.push(...faults);
    // Articles need the publication; without it each of them would fail for that one reason.
    if (call === publication && faults.length > 0) break;
  }
  for (const file of drafts) console.info(`${'draft'.padEnd(10)} ${file}`);
  if (failed.length > 0) throw new UserError(failed.join('\n'));
}

/** Prints what became of a call; the mistakes the Worker found, by file and line. */
function report(call: ContentCall, { status, body }: WebhookResponse): string[] {
  if (status === 200) {
    const { outcome, url, warnings } = body as { outcome: string; url?: string; warnings?: string[] };
    console.info(`${outcome.padEnd(10)} ${call.file}${url ? `  ${url}` : ''}`);
    for (const warning of warnings ?? []) console.warn(`           ${warning}`);
    return [];
  }
  // A fresh database never had it, so there is nothing to take back.
  if (call.type === 'article.withdrawn' && status === 422) {
    console.info(`${'absent'.padEnd(10)} ${call.file}`);
    return [];
  }
  console.info(`${'refused'.padEnd(10)} ${call.file}`);
  const { detail, errors } = body as { detail?: string; errors?: { pointer: string; message: string }[] };
  if (!errors?.length) return [`${call.file}: ${detail ?? `the Worker answered ${status}`}`];
  return errors.map(
    ({ pointer, message }) => `${call.file}:${call.lineOf(pointer)}: ${pointer.replace(/^\/data\//, '')} ${message}`,
  );
}

if (import.meta.main) {
  await run(async () => {
    const { values, positionals } = parsePublishArgs();
    await publishFolder(positionals[0] ?? 'seeds', baseOf(values.to));
  });
}

function parsePublishArgs() {
  try {
    return parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } });
  } catch (error) {
    throw new UserError(
      `${error instanceof Error ? error.message : error}\nUsage: npm run publish -- [DIR] [--to URL]`,
    );
  }
}
