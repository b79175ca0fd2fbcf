import type { Entry } from '../../domain/article.ts';
import { elements, only, print } from '../xml.ts';
import { completeAtom } from './atom.ts';
import { completeJson } from './json.ts';
import type { FeedMeta } from './meta.ts';
import { completeRss } from './rss.ts';
import { skeleton } from './skeleton.ts';

/** The three documents of one choice of entries. */
export interface Draft {
  rss: string;
  atom: string;
  json: string;
  updatedAt: string;
  /** Bytes of each document without its entries, and of each entry: as dear as printing, so counted when asked for. */
  measure: () => Size[];
}

interface Size {
  head: number;
  each: number[];
}

/** A feed that never had an entry nor a change has this date; Atom demands one. */
const NEVER = '1970-01-01T00:00:00Z';

/** Writes the three documents. `entries` are guarded and in the order in which they are to stand. */
export function compose(meta: FeedMeta, entries: Entry[]): Draft {
  const updatedAt = entries.reduce((last, entry) => later(last, entry.updatedAt), meta.changedAt ?? NEVER);
  const bare = skeleton(meta, entries, updatedAt);
  const rss = completeRss(bare.rss, meta, entries);
  const atom = completeAtom(bare.atom, meta, entries);
  const json = completeJson(bare.json, meta, entries);
  const texts = { rss: print(rss), atom: print(atom), json: JSON.stringify(json) };
  const measure = () => [
    size(texts.rss, elements(only(only(rss, 'rss'), 'channel'), 'item').map(print)),
    size(texts.atom, elements(only(atom, 'feed'), 'entry').map(print)),
    size(
      texts.json,
      json.items.map((item) => `${JSON.stringify(item)},`),
    ),
  ];
  return { ...texts, updatedAt, measure };
}

function later(a: string, b: string): string {
  return a < b ? b : a;
}

function size(document: string, entries: string[]): Size {
  const each = entries.map(bytes);
  return { head: bytes(document) - each.reduce((sum, one) => sum + one, 0), each };
}

const encoder = new TextEncoder();

function bytes(text: string): number {
  return encoder.encode(text).length;
}
