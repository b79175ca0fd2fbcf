import { fromXml } from 'xast-util-from-xml';
import type { TestApp } from './app.ts';

export interface Item {
  id: string;
  url: string;
  title: string;
  content_html: string;
  date_published: string;
  date_modified?: string;
}

/** The entries of a JSON Feed, with their times in whole seconds. */
export async function items(app: TestApp, path = '/feed.json'): Promise<Item[]> {
  const response = await app.fetch(path);
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return JSON.parse((await response.text()).replaceAll('.000Z"', 'Z"')).items;
}

export async function titles(app: TestApp, path = '/feed.json'): Promise<string[]> {
  return (await items(app, path)).map(({ title }) => title);
}

/** What a reader compares a feed by, and the feed's own date in the Atom document. */
export async function feedDates(app: TestApp, path = '/atom.xml') {
  const response = await app.fetch(path);
  const body = await response.text();
  return {
    etag: response.headers.get('etag'),
    lastModified: Date.parse(response.headers.get('last-modified') ?? ''),
    updated: /<updated>([^<]+)<\/updated>/.exec(body)?.[1]?.replace('.000Z', 'Z') ?? '',
  };
}

/** Status and text of a page, asked for as a browser does. */
export async function page(app: TestApp, path: string, headers: Record<string, string> = {}) {
  const response = await app.fetch(path, { headers: { Accept: 'text/html,*/*;q=0.8', ...headers } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** All texts of an XML document's elements by a name; throws when it is not well-formed. */
export function elementTexts(xml: string, name: string): string[] {
  fromXml(xml);
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map((match) => match[1] ?? '');
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: { pointer: string; message: string }[];
}

/** The problem document of a refusal; throws when the answer is another kind. */
export async function problemOf(response: Response): Promise<Problem> {
  const type = response.headers.get('content-type');
  if (type !== 'application/problem+json; charset=utf-8') throw new Error(`no problem document but ${type}`);
  if (response.headers.get('cache-control') !== 'no-store') throw new Error('a problem document may not be kept');
  const problem = await response.json<Problem>();
  if (problem.status !== response.status) throw new Error(`${problem.status} in a ${response.status}`);
  return problem;
}
