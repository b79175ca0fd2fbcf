import * as z from 'zod/mini';
import { decodeBase64 } from '../domain/base64url.ts';
import { Refusal } from '../domain/errors.ts';
import { milliseconds } from '../domain/time.ts';
import { parse } from '../domain/validation.ts';
import { SNS_HASHES, type SnsHash } from './sns-certificate.ts';

/**
 * Seconds that a message may be old. SNS repeats a call for at most an hour, with the Timestamp of the first; an hour
 * more is for what is slow on the way. Within that, a replay changes nothing: events are known by their ids.
 */
const OLDEST_SECONDS = 7200;
/** Seconds that its clock may be ahead of ours. */
const EARLIEST_SECONDS = 300;

const schema = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: z.string().check(z.regex(/^[\w-]{1,100}$/, 'must be an id')),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: z.string(),
  SigningCertURL: z.string(),
  Subject: z.nullish(z.string()),
  SubscribeURL: z.nullish(z.string()),
  Token: z.nullish(z.string()),
});
export type SnsMessage = z.infer<typeof schema>;

/** In the order that they are signed in: "Verifying the signatures of Amazon SNS messages". */
const SIGNED = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const;

/** @throws Refusal when a body is no message of Amazon SNS */
export function parseSnsMessage(headers: Headers, body: Uint8Array): SnsMessage {
  if (headers.get('x-amz-sns-rawdelivery') === 'true') {
    throw new Refusal('unproven', 'The call is not proven: turn raw message delivery off, it has no signature.');
  }
  return parse(schema, jsonOf(body), 'The body is no message of Amazon SNS.');
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new Refusal('invalid', 'The body must be JSON: a message of Amazon SNS.');
  }
}

/**
 * Checks that a message is from SNS, for this topic, and of today.
 * @param now ISO 8601
 * @throws Refusal saying what is wrong
 */
export async function checkSnsMessage(
  message: SnsMessage,
  topicArn: string,
  now: string,
  keyOf: (url: string, hash: SnsHash) => Promise<CryptoKey>,
): Promise<void> {
  if (message.TopicArn !== topicArn) throw unproven('TopicArn must be the one that is configured');
  const age = (milliseconds(now) - milliseconds(message.Timestamp)) / 1000;
  if (!(age <= OLDEST_SECONDS && age >= -EARLIEST_SECONDS)) {
    throw unproven(`Timestamp must be at most ${OLDEST_SECONDS} seconds old`);
  }
  const key = await keyOf(message.SigningCertURL, SNS_HASHES[message.SignatureVersion]);
  const signature = decodeBase64(message.Signature) ?? new Uint8Array();
  const signed = new TextEncoder().encode(textToSign(message));
  if (!(await crypto.subtle.verify(key.algorithm.name, key, signature, signed))) {
    throw unproven('Signature does not match the message');
  }
}

function textToSign(message: SnsMessage): string {
  return SIGNED.map((name) => (typeof message[name] === 'string' ? `${name}\n${message[name]}\n` : '')).join('');
}

function unproven(reason: string): Refusal {
  return new Refusal('unproven', `The call is not proven: ${reason}.`);
}
