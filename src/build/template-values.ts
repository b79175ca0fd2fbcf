import ts from 'typescript';
import { fault } from './template-fault.ts';
import type { Tag } from './template-lint.ts';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ES2024,
  types: [],
};

/**
 * Checks that the values which templates name are in their views (src/render/mail/views.ts), and are there whenever the
 * template asks for them. Takes a second, so it is asked of changed templates only.
 *
 * @param text what is to be written to `file`
 * @throws Error with a line per mistake: file, line, the tag, and what is wrong with it
 */
export function checkValues(text: string, file: string, tags: Tag[]): void {
  const host = ts.createCompilerHost(OPTIONS);
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.fileExists = (name) => name === file || ts.sys.fileExists(name);
  const program = ts.createProgram([file], OPTIONS, host);
  const faults = program.getSemanticDiagnostics(program.getSourceFile(file)).flatMap((each) => describe(each, tags));
  if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'));
}

function describe({ messageText }: ts.Diagnostic, tags: Tag[]): string[] {
  const message = ts.flattenDiagnosticMessageText(messageText, ' ');
  const name = /'(?:\w+\.)*(\w+)'/.exec(message)?.[1] ?? '';
  const named = tags.filter(({ text }) => new RegExp(`\\b${name}\\b`).test(text));
  // What follows from another mistake has no tag of its own.
  return named.map(({ path, line, text }) => fault(path, line, `${text}: ${message}`).message);
}
