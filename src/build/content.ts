import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { UserError } from './fault.ts';
import { readFrontMatter, readYaml, type Yaml } from './front-matter.ts';

/** One call that a folder's file makes. */
export interface ContentCall {
  file: string;
  type: 'publication.updated' | 'article.published' | 'article.withdrawn';
  data: Record<string, unknown>;
  /** For faults that the Worker finds: the line of the field that a JSON pointer into the body names. */
  lineOf(pointer: string): number;
}

/** A folder laid out like `seeds/`, read whole before anything is sent. */
export interface Content {
  publication: ContentCall;
  articles: ContentCall[];
  /** Files with `draft: true`. */
  drafts: string[];
}

const BODY_FIELDS: Record<string, string> = { '.md': 'bodyMarkdown', '.html': 'bodyHtml', '.txt': 'bodyText' };
/** Front matter that is not sent: notes for whoever keeps the folder. */
const OWN_FIELDS = new Set(['draft', 'document', 'withdrawn']);
const REQUIRED = ['title', 'publishedAt'];

/**
 * Reads `publication.yaml` and the files under `articles/`.
 * @throws UserError that names file and line of every mistake
 */
export function readContent(folder: string): Content {
  const publicationFile = join(folder, 'publication.yaml');
  if (!existsSync(publicationFile)) {
    throw new UserError(
      `${publicationFile} is missing: a folder to publish has a publication.yaml and articles/, as seeds/ has`,
    );
  }
  const publication = readYaml(publicationFile, readFileSync(publicationFile, 'utf8'));
  const mistakes: string[] = [];
  const articles: ContentCall[] = [];
  const drafts: string[] = [];
  for (const file of articleFiles(join(folder, 'articles'))) {
    try {
      const { yaml, body } = readFrontMatter(file, readFileSync(file, 'utf8'));
      requireFlags(yaml);
      if (yaml.value.draft === true) drafts.push(file);
      else articles.push(articleCall(join(folder, 'articles'), yaml, body, publication.value));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      mistakes.push(error.message);
    }
  }
  mistakes.push(...doubleIds(articles));
  if (mistakes.length > 0) throw new UserError(mistakes.join('\n'));
  return { publication: publicationCall(publication), articles, drafts };
}

/** A quoted "true" would publish what its author keeps back. */
function requireFlags(yaml: Yaml): void {
  const { draft = false, withdrawn = false } = yaml.value;
  const place = (name: string) => `${yaml.file}:${yaml.lineOf([name])}: ${name}`;
  if (typeof draft !== 'boolean')
    throw new UserError(`${place('draft')} must be true or false, without quotation marks`);
  if (typeof withdrawn === 'boolean' || (typeof withdrawn === 'string' && withdrawn !== '')) return;
  throw new UserError(`${place('withdrawn')} must be true, false or a note for readers`);
}

function articleFiles(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) in BODY_FIELDS && !/(^|\/)[._]/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function publicationCall(yaml: Yaml): ContentCall {
  return { file: yaml.file, type: 'publication.updated', data: yaml.value, lineOf: lineOfPointer(yaml) };
}

function articleCall(folder: string, yaml: Yaml, body: string, publication: Record<string, unknown>): ContentCall {
  const { file, value } = yaml;
  const id =
    value.id ??
    relative(folder, file)
      .replace(/\.\w+$/, '')
      .replaceAll('\\', '/');
  if (value.withdrawn !== undefined && value.withdrawn !== false) {
    const note = typeof value.withdrawn === 'string' ? { note: value.withdrawn } : {};
    return { file, type: 'article.withdrawn', data: { id, ...note }, lineOf: lineOfPointer(yaml) };
  }
  const missing = REQUIRED.filter((name) => value[name] === undefined || value[name] === null);
  if (missing.length > 0) throw new UserError(`${file}:2: front matter must have ${missing.join(' and ')}`);
  const sent = Object.fromEntries(Object.entries(value).filter(([name]) => !OWN_FIELDS.has(name)));
  const data = {
    authors: defaultAuthors(publication.author),
    topics: [],
    ...sent,
    id,
    [BODY_FIELDS[extname(file)] ?? 'bodyText']: body,
  };
  return { file, type: 'article.published', data, lineOf: lineOfPointer(yaml) };
}

/** The publication's author, without the address: a byline is public. */
function defaultAuthors(author: unknown): unknown[] {
  const { name, url } = Object(author) as Record<string, unknown>;
  return name === undefined ? [] : [url === undefined ? { name } : { name, url }];
}

function lineOfPointer(yaml: Yaml): (pointer: string) => number {
  return (pointer) => {
    const parts = pointer
      .split('/')
      .slice(2)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    return yaml.lineOf(parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part)));
  };
}

function doubleIds(articles: ContentCall[]): string[] {
  const files = new Map<unknown, string>();
  return articles.flatMap(({ file, data, lineOf }) => {
    const other = files.get(data.id);
    files.set(data.id, other ?? file);
    return other === undefined
      ? []
      : [`${file}:${lineOf('/data/id')}: id ${JSON.stringify(data.id)} is the id of ${other} too`];
  });
}
