import { condition, expression, isBlock, isContent, isMustache, refusal, type Scope } from './template-expression.ts';
import type { Tag } from './template-lint.ts';
import type { Direction } from './template-source.ts';

/** A template compiled to HTML, its Handlebars tags parsed. */
export interface Compiled {
  /** The template's name, as in `digest.mjml`. */
  name: string;
  direction: Direction;
  program: hbs.AST.Program;
  /** Its tags as the designer wrote them, to tell where a mistake is. */
  tags: Tag[];
}

interface Writer {
  tags: Tag[];
  literal: (text: string) => string;
  lines: string[];
  /** What the next `out +=` adds. */
  pending: string[];
}

/** A literal used twice and at least this long becomes a constant; a shorter one costs less than its name. */
const SHARED_MIN_LENGTH = 32;

/**
 * Writes one TypeScript function per compiled template that joins literals and values. What Handlebars would look up at
 * run time is a property access here, so the compiler refuses a value the view does not have.
 *
 * @throws Error that names file and line of a tag that uses more of Handlebars than values, each, if and unless
 */
export function emitTemplates(templates: Compiled[]): string {
  const constants = new Map<string, string>();
  const uses = countLiterals(templates);
  const literal = (text: string) => {
    if (text.length < SHARED_MIN_LENGTH || uses.get(text) === 1) return quote(text);
    const name = constants.get(text) ?? `s${constants.size}`;
    constants.set(text, name);
    return name;
  };
  const functions = templates.map((template) => emitFunction(template, literal));
  const views = [...new Set(templates.map(({ name }) => viewName(name)))];
  return [
    `import { escapeHtml, filled } from './mail/escape.ts';`,
    `import type { ${views.join(', ')} } from './mail/views.ts';\n`,
    ...[...constants].map(([text, name]) => `const ${name} = ${quote(text)};`),
    '',
    functions.join('\n\n'),
    '',
  ].join('\n');
}

function emitFunction({ name, direction, program, tags }: Compiled, literal: Writer['literal']): string {
  const writer: Writer = { tags, literal, lines: [], pending: [] };
  emitBody(writer, program, [{ value: 'v', list: '' }], '  ');
  const suffix = direction === 'ltr' ? 'Ltr' : 'Rtl';
  return [
    `export function ${camel(name)}${suffix}(v: ${viewName(name)}): string {`,
    `  let out = '';`,
    ...writer.lines,
    '  return out;',
    '}',
  ].join('\n');
}

function emitBody(writer: Writer, program: hbs.AST.Program, scopes: Scope[], indent: string): void {
  for (const node of program.body) {
    if (isContent(node)) writer.pending.push(...pieces(node.value).map(writer.literal));
    else if (isMustache(node)) writer.pending.push(emitValue(writer, node, scopes));
    else if (isBlock(node)) emitBlock(writer, node, scopes, indent);
    else if (node.type !== 'CommentStatement') throw refusal('{{>', 'a Handlebars partial', writer.tags);
  }
  flush(writer, indent);
}

function emitValue({ tags }: Writer, node: hbs.AST.MustacheStatement, scopes: Scope[]): string {
  if (node.params.length > 0 || node.hash !== undefined) throw refusal('{{', `the helper ${sourceOf(node)}`, tags);
  const value = expression(node.path, scopes, tags);
  return node.escaped ? `escapeHtml(${value})` : value;
}

function emitBlock(writer: Writer, node: hbs.AST.BlockStatement, scopes: Scope[], indent: string): void {
  const kind = sourceOf(node);
  const [subject, ...more] = node.params;
  const known = ['each', 'if', 'unless'].includes(kind) && more.length === 0 && node.hash === undefined;
  if (!known || subject === undefined || node.program.blockParams?.length) {
    throw refusal(kind, `this form of {{#${kind}}}`, writer.tags);
  }
  flush(writer, indent);
  if (kind === 'each') {
    emitEach(writer, node, expression(subject, scopes, writer.tags), scopes, indent);
    return;
  }
  const test = condition(subject, scopes, writer.tags);
  emitIf(writer, kind === 'if' ? test : `!${test}`, node.program, node.inverse, scopes, indent);
}

function emitEach(writer: Writer, node: hbs.AST.BlockStatement, list: string, scopes: Scope[], indent: string): void {
  const value = `v${scopes.length}`;
  const index = `i${scopes.length}`;
  const start = writer.lines.length;
  emitBody(writer, node.program, [...scopes, { value, list }], `${indent}  `);
  const counted = writer.lines
    .slice(start)
    .some((line) => line.includes(`${index} === `) || line.includes(`(${index})`));
  const head = counted ? `const [${index}, ${value}] of ${list}.entries()` : `const ${value} of ${list}`;
  writer.lines.splice(start, 0, `${indent}for (${head}) {`);
  writer.lines.push(`${indent}}`);
  if (node.inverse) emitIf(writer, `!filled(${list})`, node.inverse, undefined, scopes, indent);
}

function emitIf(
  writer: Writer,
  test: string,
  yes: hbs.AST.Program,
  no: hbs.AST.Program | undefined,
  scopes: Scope[],
  indent: string,
): void {
  writer.lines.push(`${indent}if (${test}) {`);
  emitBody(writer, yes, scopes, `${indent}  `);
  if (no) {
    writer.lines.push(`${indent}} else {`);
    emitBody(writer, no, scopes, `${indent}  `);
  }
  writer.lines.push(`${indent}}`);
}

function flush(writer: Writer, indent: string): void {
  if (writer.pending.length > 0) writer.lines.push(`${indent}out += ${writer.pending.join(' + ')};`);
  writer.pending = [];
}

/** Cuts where the two directions differ, so that everything between is the same text in both and written once. */
function pieces(text: string): string[] {
  return text.split(/\b(left|right|ltr|rtl)\b/).filter((piece) => piece !== '');
}

function countLiterals(templates: Compiled[]): Map<string, number> {
  const uses = new Map<string, number>();
  const visit = (program: hbs.AST.Program | undefined): void => {
    for (const node of program?.body ?? []) {
      if (isContent(node)) for (const piece of pieces(node.value)) uses.set(piece, (uses.get(piece) ?? 0) + 1);
      if (!isBlock(node)) continue;
      visit(node.program);
      visit(node.inverse);
    }
  };
  for (const { program } of templates) visit(program);
  return uses;
}

function sourceOf(node: hbs.AST.MustacheStatement | hbs.AST.BlockStatement): string {
  return 'original' in node.path ? String(node.path.original) : '';
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`;
}

function camel(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function viewName(name: string): string {
  const text = camel(name);
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}View`;
}
