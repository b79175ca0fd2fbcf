import { relative } from 'node:path';

/** A mistake in a template, told the way editors make clickable: `templates/digest.mjml:12: what is wrong`. */
export function fault(path: string, line: number, message: string): Error {
  return new Error(`${relative(process.cwd(), path)}:${line}: ${message}`);
}
