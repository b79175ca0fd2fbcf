import { type Document, LineCounter, parseDocument } from 'yaml';
import { UserError } from './fault.ts';

/** YAML with the lines its values stand on, to name the place of a mistake. */
export interface Yaml {
  file: string;
  value: Record<string, unknown>;
  /** Line (from 1) of the value at a path, or of the nearest thing around it. */
  lineOf(path: (string | number)[]): number;
}

/**
 * Reads YAML. @param firstLine the line of the file on which the text begins
 * @throws UserError naming file and line of what cannot be read
 */
export function readYaml(file: string, text: string, firstLine = 1): Yaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const line = (offset: number) => lines.linePos(offset).line + firstLine - 1;
  const [error] = document.errors;
  if (error) throw new UserError(`${file}:${line(error.pos[0])}: ${error.message}`);
  const value: unknown = document.toJS();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UserError(`${file}:${firstLine}: must be a list of "name: value" lines`);
  }
  return {
    file,
    value: value as Record<string, unknown>,
    lineOf: (path) => line(offsetOf(document, path)),
  };
}

/** An article file: its front matter between two lines of `---`, and the body after it. */
export function readFrontMatter(file: string, text: string): { yaml: Yaml; body: string } {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match)
    throw new UserError(
      `${file}:1: must begin with front matter: a line of ---, fields such as title, and a line of ---`,
    );
  return { yaml: readYaml(file, match[1] ?? '', 2), body: text.slice(match[0].length) };
}

function offsetOf(document: Document.Parsed, path: (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}
