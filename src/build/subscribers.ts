import { parseArgs } from 'node:util';
import { run, UserError } from './fault.ts';
import { baseOf } from './local.ts';
import { exportSubscribers } from './subscribers-export.ts';
import { describeCounts, importSubscribers } from './subscribers-import.ts';
import { FIELDS, type Field, type ImportStatus, STATUSES } from './subscribers-sources.ts';

const USAGE = `Usage:
  npm run subscribers -- import FILE --digest ID [--to URL] [--dry-run]
                         [--consent "TEXT"] [--status STATE] [--map FIELD="COLUMN",…]
  npm run subscribers -- export --digest ID [--to URL] [FILE]

  --digest ID       the digest that people are subscribed to
  --to URL          the Worker; without it, the one that "npm start" serves
  --dry-run         names every faulty line and counts, and changes nothing
  --consent "TEXT"  how everybody in the file agreed, where no column shows it
  --status STATE    the state of everybody in the file, where no column shows it: ${STATUSES.join(', ')}
  --map             which column is what; an empty one leaves it out. Fields: ${FIELDS.slice(0, 5).join(', ')},
                    ${FIELDS.slice(5).join(', ')}`;

const OPTIONS = {
  digest: { type: 'string' },
  to: { type: 'string' },
  'dry-run': { type: 'boolean' },
  consent: { type: 'string' },
  status: { type: 'string' },
  map: { type: 'string', multiple: true },
  help: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readArguments>['values'];

/** The command: `import` or `export`, with the arguments that follow its name. @throws UserError for any mistake */
export async function subscribersCommand(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args);
  const [command, path, ...more] = positionals;
  if (values.help) return console.info(USAGE);
  if (command !== 'import' && command !== 'export')
    throw usage(command ? `${command} is no command.` : 'Which command?');
  if (more.length > 0) throw usage(`One file, please; there is also ${more.join(' ')}.`);
  if (!values.digest) throw usage('Which digest? Say --digest ID.');
  const base = baseOf(values.to);
  if (command === 'import') return runImport(path, values.digest, base, values);
  const foreign = (['dry-run', 'consent', 'status', 'map'] as const).find((name) => values[name] !== undefined);
  if (foreign) throw usage(`--${foreign} is for import only.`);
  await exportSubscribers(base, values.digest, path);
}

async function runImport(path: string | undefined, digest: string, base: string, values: Values): Promise<void> {
  if (path === undefined) throw usage('Which file?');
  const consent = values.consent?.trim();
  if (consent === '') throw usage('--consent must say how people agreed; it is empty.');
  const options = {
    path,
    digest,
    base,
    dryRun: values['dry-run'] ?? false,
    consent,
    status: statusOption(values.status),
    map: mapOption(values.map ?? []),
  };
  const counts = await importSubscribers(options);
  console.info(describeCounts(counts, options));
  if (counts.unproven > 0) throw new UserError(UNPROVEN);
  if (counts.faults > 0) throw new UserError(`Correct the faulty lines and run it again: nobody is imported twice.`);
}

const UNPROVEN = `No column of this file shows that the people in it agreed to get mail, and you must be able to prove it. If they did,
say how, and it is kept with each of them: --consent "Signed up on example.com and confirmed by mail"`;

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw usage(error instanceof Error ? error.message : String(error));
  }
}

function statusOption(text: string | undefined): ImportStatus | undefined {
  const status = STATUSES.find((each) => each === text);
  if (text !== undefined && !status) throw usage(`--status must be ${STATUSES.join(', ')}; it is ${text}.`);
  return status;
}

/** Reads `email="E-Mail",status=Zustand`. A comma inside a column's name is no separator. */
function mapOption(texts: readonly string[]): Map<Field, string> {
  const pairs = texts.flatMap((text) => text.split(new RegExp(`,(?=(?:${FIELDS.join('|')})=)`)));
  return new Map(
    pairs.map((pair) => {
      const [name, column] = /^(\w+)=(.*)$/s.exec(pair)?.slice(1) ?? [];
      const field = FIELDS.find((each) => each === name);
      if (!field || column === undefined) throw usage(`--map takes FIELD=COLUMN; it is ${pair}.`);
      return [field, column.replace(/^"(.*)"$/s, '$1')];
    }),
  );
}

function usage(message: string): UserError {
  return new UserError(`${message}\n${USAGE}`);
}

if (import.meta.main) await run(() => subscribersCommand(process.argv.slice(2)));
