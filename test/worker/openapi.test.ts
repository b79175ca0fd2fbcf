import { expect, test } from 'vitest';
import { EXAMPLES } from '../../src/http/openapi-examples.ts';
import { testApp } from '../support/app.ts';

interface OpenApi {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, { post: { requestBody: { content: Record<string, { examples: Record<string, unknown> }> } } }>;
  components: { schemas: Record<string, { oneOf?: { properties: Record<string, Record<string, unknown>> }[] }> };
}

async function read(): Promise<{ response: Response; document: OpenApi }> {
  const response = await testApp({ baseUrl: 'https://news.example/' }).fetch('/api/v1/openapi.json');
  return { response, document: await response.json() };
}

test('anybody may read it, from any page', async () => {
  const { response, document } = await read();
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(document).toMatchObject({ openapi: '3.1.1', servers: [{ url: 'https://news.example' }] });
});

test('has a schema and an example of every type of call', async () => {
  const { document } = await read();
  const calls = document.components.schemas.Call?.oneOf ?? [];
  const types = calls.map(({ properties }) => properties.type?.const);
  expect(types).toEqual([
    'article.published',
    'article.updated',
    'article.withdrawn',
    'publication.updated',
    'digest.run',
    'issue.approve',
    'issue.pause',
    'issue.resume',
    'issue.cancel',
    'issue.reissue',
  ]);
  expect(new Set(EXAMPLES.map(({ value }) => value.type))).toEqual(new Set(types));
  const { examples } = document.paths['/webhooks']?.post.requestBody.content['application/json'] ?? {};
  expect(Object.keys(examples ?? {})).toEqual(EXAMPLES.map(({ name }) => name));
});

test('says of a field what the call is checked for', async () => {
  const { document } = await read();
  const [published] = document.components.schemas.Call?.oneOf ?? [];
  expect(published?.properties).toMatchObject({
    timestamp: { type: 'string', format: 'date-time' },
    data: {
      additionalProperties: false,
      required: ['id', 'title', 'authors', 'topics', 'publishedAt'],
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 500 },
        topics: { type: 'array', maxItems: 20, items: { type: 'string', maxLength: 100 } },
        image: { properties: { url: { format: 'uri' }, width: { type: 'integer', minimum: 1 } } },
        confirm: { type: 'integer', minimum: 0 },
      },
    },
  });
});

test('every reference in it leads somewhere', async () => {
  const { document } = await read();
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g);
  const names = [...references].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) expect(document.components.schemas).toHaveProperty(name ?? '');
});
