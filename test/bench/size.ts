import { gzipSync } from 'node:zlib';

/** What a package (or our own code) takes of the bundle. */
export interface Share {
  name: string;
  bytes: number;
  /** What the compressed bundle would be smaller by without it. */
  gzipBytes: number;
}

interface SourceMap {
  sources: string[];
  mappings: string;
}

/** The bundle's shares, the largest first, by its source map (ECMA-426): every character belongs to one source. */
export function sharesOf(code: string, sourceMap: string): { gzipBytes: number; shares: Share[] } {
  const map: SourceMap = JSON.parse(sourceMap);
  const owners = map.sources.map(ownerOf);
  const pieces = piecesOf(code, map.mappings).map(({ text, source }) => ({
    text,
    owner: source === undefined ? OWN : (owners[source] ?? OWN),
  }));
  const gzipBytes = compressed(code);
  const shares = [...new Set(pieces.map(({ owner }) => owner))].map((name) => {
    const mine = pieces.filter(({ owner }) => owner === name);
    const rest = pieces.filter(({ owner }) => owner !== name);
    return { name, bytes: Buffer.byteLength(joined(mine)), gzipBytes: gzipBytes - compressed(joined(rest)) };
  });
  return { gzipBytes, shares: shares.sort((one, other) => other.gzipBytes - one.gzipBytes) };
}

const OWN = 'src (our own)';

function ownerOf(source: string): string {
  const [, owner] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  return owner ?? OWN;
}

function joined(pieces: { text: string }[]): string {
  return pieces.map(({ text }) => text).join('');
}

function compressed(text: string): number {
  return gzipSync(text).length;
}

/** Cuts generated code where its mappings begin; what precedes the first one of a line has no source. */
function piecesOf(code: string, mappings: string): { text: string; source: number | undefined }[] {
  const lines = code.split('\n');
  let source = 0;
  return mappings.split(';').flatMap((line, index) => {
    const text = `${lines[index] ?? ''}\n`;
    const starts: { column: number; source: number | undefined }[] = [{ column: 0, source: undefined }];
    let column = 0;
    for (const segment of line === '' ? [] : line.split(',')) {
      const [columns = 0, sources] = decode(segment);
      column += columns;
      if (sources !== undefined) source += sources;
      if (starts.at(-1)?.source !== source) starts.push({ column, source });
    }
    return starts.map((start, at) => ({ text: text.slice(start.column, starts[at + 1]?.column), source: start.source }));
  });
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base 64 VLQ: five bits a digit, the lowest first; the sixth says that more follow, the very first bit is the sign. */
function decode(segment: string): number[] {
  const values: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value |= (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    values.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return values;
}
