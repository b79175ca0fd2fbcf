import { Hono } from 'hono';
import * as z from 'zod/mini';
import { webhookBody } from '../domain/webhook.ts';
import type { AppEnv } from './context.ts';
import { EXAMPLES } from './openapi-examples.ts';

/** The webhook as an OpenAPI 3.1 document, its bodies by the schemas that check them. Public: it holds nothing of a publication. */
export function openapi(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/api/v1/openapi.json', (c) =>
    c.json(documentFor(c.get('deps').baseUrl), 200, {
      'Cache-Control': 'public, max-age=3600',
      'Access-Control-Allow-Origin': '*',
    }),
  );
  return app;
}

let made: Record<string, unknown> | undefined;

/** Made when it is first asked for, once for each isolate. */
function documentFor(baseUrl: string): Record<string, unknown> {
  made ??= { paths: { '/webhooks': { post: webhookOperation() } }, components: components() };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Broadside',
      version: '1',
      summary: 'Publish, correct, withdraw, mail and reissue by one signed call.',
    },
    servers: [{ url: baseUrl.replace(/\/$/, '') }],
    ...made,
  };
}

function webhookOperation() {
  const json = (schema: Record<string, unknown>, rest: Record<string, unknown> = {}) => ({
    'application/json': { schema, ...rest },
  });
  const refusal = (description: string) => ({
    description,
    content: { 'application/problem+json': { schema: reference('Problem') } },
  });
  return {
    operationId: 'call',
    summary: 'Does one thing, once: a repeat under the same id gets the first answer.',
    security: [{ signature: [], signedId: [], signedAt: [] }, { bearer: [] }],
    parameters: [
      {
        name: 'dryRun',
        in: 'query',
        description: '1: answers with the plan, and changes nothing.',
        schema: { enum: ['1'] },
      },
      {
        name: 'Idempotency-Key',
        in: 'header',
        description: 'The id of a call with a bearer token, of 1 to 256 characters.',
        schema: { type: 'string', minLength: 1, maxLength: 256 },
      },
    ],
    requestBody: { required: true, content: json(reference('Call'), { examples: examples() }) },
    responses: {
      200: {
        description: 'Done, or with dryRun planned.',
        content: json({ oneOf: [reference('Answer'), reference('Plan')] }),
      },
      401: refusal('The call is not proven, or its time is more than five minutes away.'),
      409: refusal('The id was used for other content.'),
      413: refusal('The body has more than 1 MiB.'),
      415: refusal('The body is not JSON.'),
      422: refusal('Nothing was done: every faulty field is named.'),
      503: refusal('Nothing was done, for a reason that may pass.'),
    },
  };
}

function examples() {
  return Object.fromEntries(EXAMPLES.map(({ name, summary, value }) => [name, { summary, value }]));
}

function components() {
  const { $schema, ...call } = z.toJSONSchema(webhookBody, { io: 'input', unrepresentable: 'any' });
  const whole = { type: 'integer', minimum: 0 };
  const text = { type: 'string' };
  const texts = { type: 'array', items: text };
  const issue = { digest: text, number: whole, revision: whole, audience: whole };
  const issueRef = { type: 'object', properties: issue, required: Object.keys(issue) };
  const answer = {
    id: { ...text, description: 'Of the article, the publication or the digest.' },
    outcome: { enum: OUTCOMES },
    revision: whole,
    url: text,
    issue: issueRef,
    issues: { type: 'array', items: issueRef, description: 'When a correction reissues several.' },
    warnings: { ...texts, description: 'What was accepted but not followed, and why.' },
  };
  const fault = {
    type: 'object',
    properties: { pointer: { ...text, description: 'JSON pointer (RFC 6901) into the body.' }, message: text },
    required: ['pointer', 'message'],
  };
  const faults = { type: 'array', items: fault };
  const bytes = { type: 'object', properties: { html: whole, text: whole } };
  return {
    securitySchemes: {
      signature: header(
        'webhook-signature',
        'Standard Webhooks: v1, and the base64 HMAC-SHA-256 of id.timestamp.body.',
      ),
      signedId: header('webhook-id', 'The id of the call.'),
      signedAt: header('webhook-timestamp', 'Unix seconds, within five minutes of now.'),
      bearer: { type: 'http', scheme: 'bearer', description: 'PUBLISH_TOKEN, for callers that cannot sign.' },
    },
    schemas: {
      Call: call,
      Answer: { type: 'object', properties: answer, required: ['id', 'outcome'] },
      Plan: {
        type: 'object',
        properties: {
          ...answer,
          dryRun: { const: true },
          changes: { ...texts, description: 'Fields that would change.' },
          feeds: { ...texts, description: 'Paths of the feeds that would change.' },
          issues: {
            type: 'array',
            items: {
              type: 'object',
              properties: { ...issue, subject: text, articles: texts, bytes },
              required: [...Object.keys(issue), 'subject'],
            },
          },
          confirm: { ...whole, description: 'What confirm must be, so that the reissue is sent.' },
          findings: faults,
        },
        required: ['dryRun', 'id', 'outcome', 'findings'],
      },
      Problem: {
        type: 'object',
        description: 'RFC 9457.',
        properties: { type: text, title: text, status: whole, detail: text, errors: faults },
        required: ['type', 'status', 'detail'],
      },
    },
  };
}

const OUTCOMES =
  'created updated unchanged withdrawn issued held skipped tested approved paused resumed cancelled reissued'.split(
    ' ',
  );

function header(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description };
}

function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}
