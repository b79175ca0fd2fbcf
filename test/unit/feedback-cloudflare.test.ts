import { describe, expect, test } from 'vitest';
import type { Feedback } from '../../src/domain/feedback.ts';
import { bareMessageId, cloudflareFeedback } from '../../src/platform/feedback-cloudflare.ts';

/** A queue message as Email Service publishes it. @param payload fields beside those that every event has */
function eventOf(type: string, payload: Record<string, unknown> = {}) {
  return {
    type: `cf.email.sending.message.${type}`,
    source: { type: 'email.sending', zoneId: '023e105f4ecef8ad9ca31a8372d0c353', domain: 'news.example' },
    payload: {
      eventId: '0190d0c4-7e9a-7b3c-9f12-1a2b3c4d5e6f',
      messageId: 'abc@news.example',
      sender: 'post@news.example',
      recipient: 'ada@reader.example',
      subject: 'Please confirm',
      terminal: true,
      ...payload,
    },
    metadata: {
      accountId: 'f9f79265f388666de8122cfb508d7776',
      eventSubscriptionId: '1830c4bb612e43c3af7f4cada31fbf3f',
      eventSchemaVersion: 1,
      eventTimestamp: '2026-06-01T02:48:57.132Z',
    },
  };
}

const EVENT = {
  id: '0190d0c4-7e9a-7b3c-9f12-1a2b3c4d5e6f',
  email: 'ada@reader.example',
  at: '2026-06-01T02:48:57Z',
  providerId: 'abc@news.example',
};

const smtp = (status: string, smtpEnhancedStatusCode: string, smtpResponse: string) => ({
  status,
  provider: 'external_smtp',
  deliveryTimeMs: 2143,
  smtpStatusCode: smtpResponse.slice(0, 3),
  smtpEnhancedStatusCode,
  smtpResponse,
});
const bounce = (type: string, classification: string, code: string, reason: string) => ({
  delivery: smtp('bounced', code, reason),
  bounce: { type, classification, reason },
});

describe('events', () => {
  test.each<[string, Record<string, unknown>, Feedback['kind'], string]>([
    ['delivered', { delivery: smtp('delivered', '2.0.0', '250 2.0.0 OK') }, 'delivered', '250 2.0.0 OK'],
    [
      'deferred',
      { terminal: false, ...bounce('soft', 'temporary_failure', '4.2.0', '451 4.2.0 Mailbox\r\nbusy') },
      'delayed',
      'soft: temporary_failure: 451 4.2.0 Mailbox busy',
    ],
    [
      'bounced',
      bounce('hard', 'permanent_failure', '5.1.1', '550 5.1.1 <ada@reader.example> unknown'),
      'hard_bounce',
      'hard: permanent_failure: 550 5.1.1 <(address)> unknown',
    ],
    ['bounced', { bounce: { type: 'hard' } }, 'hard_bounce', 'hard'],
    [
      'bounced',
      bounce('hard', 'permanent_failure', '5.7.1', '550 5.7.1 Poor reputation'),
      'soft_bounce',
      'hard: permanent_failure: 550 5.7.1 Poor reputation',
    ],
    [
      'bounced',
      bounce('soft', 'temporary_failure', '4.2.2', '452 4.2.2 Mailbox full'),
      'soft_bounce',
      'soft: temporary_failure: 452 4.2.2 Mailbox full',
    ],
    ['bounced', {}, 'soft_bounce', ''],
    ['failed', { failure: { reason: 'delivery_failed' } }, 'soft_bounce', 'delivery_failed'],
    [
      'rejected',
      { rejection: { reason: 'suppressed', party: 'recipient', detail: 'Recipient is suppressed' } },
      'soft_bounce',
      'suppressed: recipient: Recipient is suppressed',
    ],
    ['complained', { subject: undefined, complaint: { type: 'abuse' } }, 'complaint', 'abuse'],
    ['complained', {}, 'complaint', ''],
  ])('%s %j', (type, payload, kind, detail) => {
    expect(cloudflareFeedback(eventOf(type, payload))).toEqual([{ ...EVENT, kind, detail }]);
  });

  test('the same event twice is the same feedback', () => {
    expect(cloudflareFeedback(eventOf('complained'))).toEqual(cloudflareFeedback(eventOf('complained')));
  });

  test('without a time of its own it is of now', () => {
    const [event] = cloudflareFeedback({ ...eventOf('complained'), metadata: null });
    expect(event?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });
});

describe('what is nothing about the arrival of a mail', () => {
  test.each<[string, unknown]>([
    ['a further type', eventOf('opened')],
    ['a name of every object', { ...eventOf('delivered'), type: 'constructor' }],
    ['of another product', { ...eventOf('delivered'), type: 'cf.r2.bucket.created' }],
    ['without a recipient', eventOf('bounced', { recipient: undefined })],
    ['without an id', eventOf('bounced', { eventId: 7 })],
    ['without a payload', { type: 'cf.email.sending.message.bounced' }],
    ['a text', JSON.stringify(eventOf('bounced'))],
    ['one of our own jobs', { kind: 'notice' }],
    ['null', null],
    ['nothing', undefined],
  ])('%s', (_, body) => {
    expect(cloudflareFeedback(body)).toEqual([]);
  });
});

test.each([
  ['<abc@news.example>', 'abc@news.example'],
  ['abc@news.example', 'abc@news.example'],
  ['0101018f7d0c4d9a-msg-deadbeef', '0101018f7d0c4d9a-msg-deadbeef'],
  ['<>', '<>'],
])('the Message-ID %s', (given, expected) => {
  expect(bareMessageId(given)).toBe(expected);
  expect(cloudflareFeedback(eventOf('delivered', { messageId: given }))[0]?.providerId).toBe(expected);
});
