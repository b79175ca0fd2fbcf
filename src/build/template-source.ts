import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fault } from './template-fault.ts';

/** Which way a template is compiled: MJML writes the direction and the alignment into the mail's inline styles. */
export type Direction = 'ltr' | 'rtl';

/** One MJML file as it stands on disk. */
export interface Source {
  path: string;
  text: string;
}

const CONSTANTS: Record<Direction, Record<string, string>> = {
  ltr: { dir: 'ltr', start: 'left', end: 'right' },
  rtl: { dir: 'rtl', start: 'right', end: 'left' },
};

const INCLUDE = /<mj-include\s[^>]*?path="([^"]*)"/g;

/**
 * Reads a template and every file it includes, each once, in the order of first use.
 * A path is relative to the file that names it, as in MJML itself.
 *
 * @throws Error that names file and line of an include that is not there
 */
export function readSources(path: string, seen: Source[] = []): Source[] {
  const source = { path, text: readFileSync(path, 'utf8') };
  seen.push(source);
  for (const match of source.text.matchAll(INCLUDE)) {
    const target = resolve(dirname(path), match[1] ?? '');
    if (seen.some((known) => known.path === target)) continue;
    if (!existsSync(target)) throw fault(path, lineAt(source.text, match.index), `there is no file ${match[1]}`);
    readSources(target, seen);
  }
  return seen;
}

/** Puts the build-time constants of a direction in place of `[[dir]]`, `[[start]]` and `[[end]]`. */
export function applyDirection(text: string, direction: Direction): string {
  return text.replace(/\[\[(\w+)\]\]/g, (tag, name: string) => CONSTANTS[direction][name] ?? tag);
}

/** Refuses `[[…]]` constants that no direction defines. */
export function checkConstants({ path, text }: Source): void {
  for (const match of text.matchAll(/\[\[(.*?)\]\]/g)) {
    if (match[1] !== undefined && match[1] in CONSTANTS.ltr) continue;
    const allowed = Object.keys(CONSTANTS.ltr).map((name) => `[[${name}]]`);
    throw fault(path, lineAt(text, match.index), `${match[0]} is unknown; allowed are ${allowed.join(', ')}`);
  }
}

/** Blanks MJML and HTML comments but keeps their line breaks, so that lines still count right. */
export function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ' '));
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
