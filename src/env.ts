import { decodeBase64 } from './domain/base64url.ts';
import type { RateLimits } from './domain/delivery-ports.ts';
import type { MailPolicy } from './domain/mail-policy.ts';
import type { Job } from './domain/ports.ts';
import type { BuildTransport } from './domain/transport.ts';
import { snsHost } from './platform/sns-certificate.ts';
import type { TokenSecret } from './platform/tokens.ts';
import { transports } from './platform/transports.ts';

/** Bindings and variables as the platform hands them over; parseConfig says whether they can be used. */
export interface Env {
  DB: D1Database;
  JOBS: Queue<Job>;
  DEAD: Queue<unknown>;
  RELEASE?: WorkerVersionMetadata;
  BASE_URL: string;
  MAIL_TRANSPORT: string;
  CONFIRMATION_TRANSPORT?: string;
  MAIL_DOMAIN?: string;
  MAIL_UNKNOWN?: string;
  BOUNCE_LIMIT_PERCENT?: string;
  COMPLAINT_LIMIT_PERCENT?: string;
  RESEND_WEBHOOK_SECRETS?: string;
  SES_TOPIC_ARN?: string;
  WEBHOOK_SECRETS: string;
  PUBLISH_TOKEN: string;
  TOKEN_SECRETS: string;
  SUPPRESSION_KEY: string;
  ADMIN_TOKEN: string;
  SUBSCRIBE_LIMIT: RateLimit;
  TURNSTILE_SITE_KEY?: string;
  TURNSTILE_SECRET_KEY?: string;
}

export interface Config {
  /** Absolute, ends in a slash. */
  baseUrl: string;
  /** Whether readers are on this machine only. */
  local: boolean;
  mail: MailConfig;
  webhookSecrets: string[];
  publishToken: string;
  tokenSecrets: [TokenSecret, ...TokenSecret[]];
  suppressionKey: string;
  adminToken: string;
  /** Changes with every release. */
  release: string;
  /** Turnstile's two keys; forms ask for it when they are set. */
  turnstileSiteKey?: string;
  turnstileSecretKey?: string;
}

export interface MailConfig {
  policy: MailPolicy;
  /** What carries digests, and what carries mail to one person. */
  digests: BuildTransport;
  letters: BuildTransport;
  limits: RateLimits;
  resendWebhookSecrets: string[];
  sesTopicArn?: string;
}

/** A configuration that cannot be used, with every fault at once. Its message is for the operator's log. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`The Worker is not configured: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL leads to this machine. */
export function isLocalUrl(url: string): boolean {
  return LOCAL_HOSTS.has(new URL(url).hostname);
}

/**
 * Reads bindings, variables and secrets.
 * @throws ConfigError naming each missing or faulty one and what is allowed
 */
export function parseConfig(env: Partial<Env>): Config {
  const faults: string[] = [];
  const fault = (name: string, allowed: string) => faults.push(`${name} ${allowed}`);

  if (!env.DB) fault('DB', 'must be a D1 database binding (wrangler.toml, d1_databases)');
  if (!env.JOBS) fault('JOBS', 'must be a queue binding (wrangler.toml, queues.producers)');
  if (!env.SUBSCRIBE_LIMIT) fault('SUBSCRIBE_LIMIT', 'must be a rate limiting binding (wrangler.toml, ratelimits)');
  const { TURNSTILE_SITE_KEY: turnstileSiteKey, TURNSTILE_SECRET_KEY: turnstileSecretKey } = env;
  if (!turnstileSiteKey !== !turnstileSecretKey) {
    fault('TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY', 'must be set both, or neither');
  }
  const baseUrl = baseUrlOf(env.BASE_URL ?? '');
  if (baseUrl === undefined) fault('BASE_URL', 'must be an absolute http or https URL without path, query or fragment');
  if (!env.DEAD) fault('DEAD', 'must be a queue binding (wrangler.toml, queues.producers)');
  const mail = mailConfig(env, baseUrl, fault);
  const webhookSecrets = listOf(env.WEBHOOK_SECRETS);
  if (webhookSecrets.length === 0 || !webhookSecrets.every(isWebhookSecret)) {
    fault(
      'WEBHOOK_SECRETS',
      'must be one or more secrets, each whsec_ and at least 24 bytes in base64, joined by commas',
    );
  }
  const [currentSecret, ...olderSecrets] = tokenSecretsOf(env.TOKEN_SECRETS) ?? [];
  if (!currentSecret) {
    fault(
      'TOKEN_SECRETS',
      'must be one or more id:secret pairs of at least 32 characters, newest first, joined by commas',
    );
  }
  for (const name of ['PUBLISH_TOKEN', 'SUPPRESSION_KEY', 'ADMIN_TOKEN'] as const) {
    if ((env[name] ?? '').length < 32) fault(name, 'must have at least 32 characters');
  }
  if (faults.length > 0 || !baseUrl || !currentSecret || !mail) throw new ConfigError(faults);
  return {
    baseUrl,
    local: isLocalUrl(baseUrl),
    mail,
    webhookSecrets,
    publishToken: env.PUBLISH_TOKEN ?? '',
    tokenSecrets: [currentSecret, ...olderSecrets],
    suppressionKey: env.SUPPRESSION_KEY ?? '',
    adminToken: env.ADMIN_TOKEN ?? '',
    release: env.RELEASE?.id ?? '',
    ...(turnstileSiteKey && turnstileSecretKey ? { turnstileSiteKey, turnstileSecretKey } : {}),
  };
}

/** All that mail needs; undefined only after a fault. */
function mailConfig(
  env: Partial<Env>,
  baseUrl: string | undefined,
  fault: (name: string, allowed: string) => void,
): MailConfig | undefined {
  const digests = transportOf(env, 'MAIL_TRANSPORT', env.MAIL_TRANSPORT, fault);
  const letters = env.CONFIRMATION_TRANSPORT
    ? transportOf(env, 'CONFIRMATION_TRANSPORT', env.CONFIRMATION_TRANSPORT, fault)
    : digests;
  const unknown = env.MAIL_UNKNOWN || 'retry';
  if (unknown !== 'retry' && unknown !== 'hold') fault('MAIL_UNKNOWN', 'must be retry or hold');
  const bouncePercent = percentOf(env, 'BOUNCE_LIMIT_PERCENT', 5, fault);
  const complaintPercent = percentOf(env, 'COMPLAINT_LIMIT_PERCENT', 0.1, fault);
  const resendWebhookSecrets = listOf(env.RESEND_WEBHOOK_SECRETS);
  if (!resendWebhookSecrets.every(isWebhookSecret)) {
    fault('RESEND_WEBHOOK_SECRETS', 'must be the signing secrets of the webhook, each whsec_…, joined by commas');
  }
  const sesTopicArn = env.SES_TOPIC_ARN || undefined;
  if (sesTopicArn !== undefined && snsHost(sesTopicArn) === undefined) {
    fault(
      'SES_TOPIC_ARN',
      'must be the topic that SES publishes to, such as arn:aws:sns:eu-west-1:123456789012:bounces',
    );
  }
  if (!digests || !letters || !baseUrl) return undefined;
  return {
    policy: {
      transport: env.MAIL_TRANSPORT ?? '',
      local: isLocalUrl(baseUrl),
      domain: (env.MAIL_DOMAIN || new URL(baseUrl).hostname).toLowerCase(),
      unknown: unknown === 'hold' ? 'hold' : 'retry',
    },
    digests,
    letters,
    limits: { bouncePercent, complaintPercent },
    resendWebhookSecrets,
    ...(sesTopicArn === undefined ? {} : { sesTopicArn }),
  };
}

function transportOf(
  env: Partial<Env>,
  variable: string,
  name: string | undefined,
  fault: (name: string, allowed: string) => void,
): BuildTransport | undefined {
  const setup = Object.hasOwn(transports, name ?? '') ? transports[name ?? ''] : undefined;
  if (!setup) fault(variable, `must be one of ${Object.keys(transports).join(', ')}`);
  return setup?.({ ...env }, fault);
}

function percentOf(
  env: Partial<Env>,
  name: 'BOUNCE_LIMIT_PERCENT' | 'COMPLAINT_LIMIT_PERCENT',
  otherwise: number,
  fault: (name: string, allowed: string) => void,
): number {
  const value = env[name] ? Number(env[name]) : otherwise;
  if (!(value > 0 && value <= 100)) fault(name, 'must be a number above 0, at most 100');
  return value;
}

function listOf(value: string | undefined): string[] {
  return (value ?? '').split(',').flatMap((part) => part.trim() || []);
}

function isWebhookSecret(secret: string): boolean {
  const bytes = secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : undefined;
  return bytes !== undefined && bytes.length >= 24;
}

function baseUrlOf(value: string): string | undefined {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  return url.href === `${url.origin}/` ? url.href : undefined;
}

function tokenSecretsOf(value: string | undefined): TokenSecret[] | undefined {
  const pairs = listOf(value).map((pair) => /^([A-Za-z0-9_-]{1,20}):(.{32,})$/.exec(pair));
  return pairs.every((pair) => pair !== null)
    ? pairs.map((pair) => ({ id: pair[1] ?? '', secret: pair[2] ?? '' }))
    : undefined;
}
