import { fault } from './template-fault.ts';
import type { Tag } from './template-lint.ts';

/** One `{{#each}}` around the code: the variable for its element and the expression it walks. The first is the view. */
export interface Scope {
  value: string;
  list: string;
}

const ALLOWED =
  '{{value}}, {{{html}}}, {{#each list}}, {{#if value}}, {{#unless value}}, {{else}}, paths with ../ and @first, @last, @index';

/**
 * The TypeScript for a Handlebars path: a property access on the view or on an element of a loop around it.
 *
 * @throws Error that names file and line of a literal, a helper's subexpression or a path that leads out of the view
 */
export function expression(node: hbs.AST.Expression, scopes: Scope[], tags: Tag[]): string {
  if (!isPath(node)) throw refusal(original(node), 'a literal or a subexpression', tags);
  const level = scopes.length - 1 - node.depth;
  const scope = scopes[level];
  if (scope === undefined) throw refusal(node.original, `${node.original}, which leads out of the view,`, tags);
  if (node.data) return loopVariable(node, level, scope, tags);
  if (!node.parts.every((part) => /^[a-z_]\w*$/i.test(part))) throw refusal(node.original, node.original, tags);
  return [scope.value, ...node.parts].join('.');
}

/** The TypeScript test for `{{#if}}`: what is true for Handlebars, and proves to the compiler that the value is there. */
export function condition(node: hbs.AST.Expression, scopes: Scope[], tags: Tag[]): string {
  const value = expression(node, scopes, tags);
  return isPath(node) && node.data ? `(${value})` : `filled(${value})`;
}

/** What a template may not do, with the place of the tag that does it. */
export function refusal(name: string, what: string, tags: Tag[]): Error {
  const tag = tags.find(({ text }) => text.includes(name)) ?? tags[0];
  return fault(tag?.path ?? '', tag?.line ?? 1, `${what} cannot be compiled; allowed are ${ALLOWED}`);
}

function loopVariable(node: hbs.AST.PathExpression, level: number, scope: Scope, tags: Tag[]): string {
  if (level === 0) throw refusal(node.original, `${node.original} outside of {{#each}}`, tags);
  if (node.parts[0] === 'index') return `i${level}`;
  if (node.parts[0] === 'first') return `i${level} === 0`;
  if (node.parts[0] === 'last') return `i${level} === ${scope.list}.length - 1`;
  throw refusal(node.original, node.original, tags);
}

function original(node: hbs.AST.Expression): string {
  return 'original' in node ? String(node.original) : '(';
}

export const isContent = (node: hbs.AST.Node): node is hbs.AST.ContentStatement => node.type === 'ContentStatement';
export const isMustache = (node: hbs.AST.Node): node is hbs.AST.MustacheStatement => node.type === 'MustacheStatement';
export const isBlock = (node: hbs.AST.Node): node is hbs.AST.BlockStatement => node.type === 'BlockStatement';
const isPath = (node: hbs.AST.Node): node is hbs.AST.PathExpression => node.type === 'PathExpression';
