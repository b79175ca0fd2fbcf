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

export interface Sizes {
  bytes: number;
  gzipBytes: number;
  /** The largest, and all others as one. */
  shares: Share[];
}

/** What takes how much of the bundle, by its source map (ECMA-426): every character belongs to one source. */
export function sizesOf(code: string, sourceMap: string, largest: number): Sizes {
  const map: SourceMap = JSON.parse(sourceMap);
  const owners = map.sources.map(ownerOf);
  const pieces = piecesOf(code, map.mappings, owners);
  const bytes = new Map<string, number>();
  for (const { text, owner } of pieces) bytes.set(owner, (bytes.get(owner) ?? 0) + Buffer.byteLength(text));
  const names = [...bytes.keys()].sort((one, other) => (bytes.get(other) ?? 0) - (bytes.get(one) ?? 0));
  const gzipBytes = compressed(code);
  const shareOf = (name: string, members: string[]): Share => ({
    name,
    bytes: members.reduce((sum, member) => sum + (bytes.get(member) ?? 0), 0),
    gzipBytes: gzipBytes - compressed(without(pieces, members)),
  });
  const others = names.slice(largest);
  const shares = names.slice(0, largest).map((name) => shareOf(name, [name]));
  return {
    bytes: Buffer.byteLength(code),
    gzipBytes,
    shares: [...shares, shareOf(`${others.length} smaller packages`, others)],
  };
}

const OWN = 'src (our own)';

function ownerOf(source: string): string {
  const [, owner] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  return owner ?? OWN;
}

function without(pieces: Piece[], owners: string[]): string {
  return pieces.map(({ text, owner }) => (owners.includes(owner) ? '' : text)).join('');
}

function compressed(text: string): number {
  return gzipSync(text).length;
}

interface Piece {
  text: string;
  owner: string;
}

/** Cuts generated code where its owner changes; what precedes the first mapping is the bundler's and counts as ours. */
function piecesOf(code: string, mappings: string, owners: string[]): Piece[] {
  const lines = code.split('\n');
  let source = 0;
  return mappings.split(';').flatMap((line, index) => {
    const text = `${lines[index] ?? ''}\n`;
    const starts = [{ column: 0, owner: OWN }];
    let column = 0;
    for (const segment of line === '' ? [] : line.split(',')) {
      const [columns = 0, sources = 0] = decode(segment);
      column += columns;
      source += sources;
      const owner = owners[source] ?? OWN;
      if (starts.at(-1)?.owner !== owner) starts.push({ column, owner });
    }
    return starts.map((start, at) => ({ text: text.slice(start.column, starts[at + 1]?.column), owner: start.owner }));
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
