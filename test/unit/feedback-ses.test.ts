import { beforeAll, describe, expect, test } from 'vitest';
import type { Feedback } from '../../src/domain/feedback.ts';
import { shift } from '../../src/domain/time.ts';
import { snsHost } from '../../src/platform/sns-certificate.ts';
import { type Message, sesReader, snsSigner, TOPIC } from '../support/sns.ts';

const NOW = '2026-06-12T12:00:00Z';

let amazon: Awaited<ReturnType<typeof snsSigner>>;
beforeAll(async () => {
  amazon = await snsSigner();
});

function setUp() {
  return sesReader(amazon.certificate, NOW);
}

const mail = {
  timestamp: '2026-06-12T11:59:00.000Z',
  source: 'letters@news.example',
  messageId: '0102018b-5d3c-000000',
  destination: ['ada@reader.example'],
};
const ADA = { emailAddress: 'ada@reader.example' };

/** An SES event that says what is enough to see that it was read. */
const COMPLAINT = JSON.stringify({
  notificationType: 'Complaint',
  complaint: { complainedRecipients: [ADA] },
  mail,
});

describe('events', () => {
  const at = '2026-06-12T11:58:30.000Z';
  const bounce = (bounceType: string, bounceSubType: string, recipient: object = ADA) => ({
    bounce: { bounceType, bounceSubType, bouncedRecipients: [recipient], timestamp: at, feedbackId: 'f1' },
  });
  const complaint = (fields: object) => ({ complaint: { complainedRecipients: [ADA], timestamp: at, ...fields } });
  const NO_SUCH_USER = {
    ...ADA,
    action: 'failed',
    status: '5.1.1',
    diagnosticCode: 'smtp; 550 5.1.1 <ada@reader.example>\r\n no such user',
  };

  const KINDS: [string, object, Feedback['kind'], string][] = [
    [
      'Bounce',
      bounce('Permanent', 'General', NO_SUCH_USER),
      'hard_bounce',
      'Permanent/General: smtp; 550 5.1.1 <(address)> no such user',
    ],
    ['Bounce', bounce('Permanent', 'Suppressed'), 'hard_bounce', 'Permanent/Suppressed'],
    ['Bounce', bounce('Permanent', 'OnAccountSuppressionList'), 'hard_bounce', 'Permanent/OnAccountSuppressionList'],
    [
      'Bounce',
      bounce('Transient', 'MailboxFull', { ...ADA, status: '4.2.2' }),
      'soft_bounce',
      'Transient/MailboxFull: 4.2.2',
    ],
    ['Bounce', bounce('Undetermined', 'Undetermined'), 'soft_bounce', 'Undetermined/Undetermined'],
    ['Complaint', complaint({}), 'complaint', ''],
    ['Complaint', complaint({ complaintFeedbackType: 'abuse' }), 'complaint', 'abuse'],
    ['Complaint', complaint({ complaintFeedbackType: 'virus' }), 'complaint', 'virus'],
    ['Complaint', complaint({ complaintSubType: 'OnAccountSuppressionList' }), 'complaint', 'OnAccountSuppressionList'],
    [
      'Delivery',
      { delivery: { timestamp: at, recipients: ['ada@reader.example'], smtpResponse: '250 2.6.0 received' } },
      'delivered',
      '250 2.6.0 received',
    ],
    [
      'DeliveryDelay',
      { deliveryDelay: { timestamp: at, delayType: 'MailboxFull', delayedRecipients: [{ ...ADA, status: '4.2.2' }] } },
      'delayed',
      'MailboxFull: 4.2.2',
    ],
  ];
  const EVERY_WAY = KINDS.flatMap(([type, ...rest]): [string, string, ...typeof rest][] => [
    ['notificationType', type, ...rest],
    ['eventType', type, ...rest],
  ]);

  async function taken(event: unknown, changes: Message = {}): Promise<Feedback[]> {
    const text = typeof event === 'string' ? event : JSON.stringify(event);
    return setUp().take(await amazon.sign({ Message: text, ...changes }));
  }

  test.each(EVERY_WAY)('%s %s %j', async (way, type, fields, kind, detail) => {
    expect(await taken({ [way]: type, mail, ...fields })).toEqual([
      {
        id: 'da41e39f-ea4d-435a-b922-c6aae3915ebe',
        kind,
        email: 'ada@reader.example',
        at: '2026-06-12T11:58:30Z',
        detail,
        providerId: '0102018b-5d3c-000000',
      },
    ]);
  });

  test('Reject, which has no time and no recipients but those of the mail', async () => {
    expect(await taken({ eventType: 'Reject', mail, reject: { reason: 'Bad content' } })).toMatchObject([
      { kind: 'soft_bounce', email: 'ada@reader.example', at: '2026-06-12T11:59:58Z', detail: 'rejected: Bad content' },
    ]);
  });

  test.each([
    [
      'a reader who says that it is no spam',
      { eventType: 'Complaint', mail, ...complaint({ complaintFeedbackType: 'not-spam' }) },
    ],
    [
      'a report on authentication',
      { eventType: 'Complaint', mail, ...complaint({ complaintFeedbackType: 'auth-failure' }) },
    ],
    ['Send', { eventType: 'Send', mail, send: {} }],
    ['Open', { eventType: 'Open', mail, open: {} }],
    ['Click', { eventType: 'Click', mail, click: {} }],
    ['Rendering Failure', { eventType: 'Rendering Failure', mail, failure: {} }],
    ['AmazonSnsSubscriptionSucceeded', { notificationType: 'AmazonSnsSubscriptionSucceeded', message: 'Set.' }],
    ['a name that every object has', { eventType: 'constructor', mail }],
    ['no type', { mail }],
    ['no object', 7],
    ['null', null],
    ['the word that a topic was set up', 'Successfully validated SNS topic for Amazon SES event publishing.'],
  ])('ignored: %s', async (_, event) => {
    expect(await taken(event)).toEqual([]);
  });

  test('several recipients are several events, the same at a repeat', async () => {
    const people = [NO_SUCH_USER, { emailAddress: 'Bea <bea@reader.example>', status: '5.0.0' }];
    const event = {
      notificationType: 'Bounce',
      mail,
      bounce: { bounceType: 'Permanent', bouncedRecipients: people, timestamp: at },
    };
    const events = await taken(event);
    expect(events.map(({ id, email, detail }) => [id, email, detail])).toEqual([
      [
        'da41e39f-ea4d-435a-b922-c6aae3915ebe/0',
        'ada@reader.example',
        'Permanent: smtp; 550 5.1.1 <(address)> no such user',
      ],
      ['da41e39f-ea4d-435a-b922-c6aae3915ebe/1', 'bea@reader.example', 'Permanent: 5.0.0'],
    ]);
    expect(await taken(event)).toEqual(events);
  });

  test('no recipients are no events', async () => {
    expect(await taken({ eventType: 'Reject', mail: { messageId: 'x' }, reject: {} })).toEqual([]);
  });

  test('without a time of its own it is of the message’s', async () => {
    const [event] = await taken(COMPLAINT, { Timestamp: shift(NOW, -60) });
    expect(event?.at).toBe(shift(NOW, -60));
  });

  const delivery = { digest: 'weekly', number: 4, revision: 2, subscriberId: 'ada' };
  const OWN = '<weekly.4.2.ada@news.example>';
  test.each<[string, object, unknown]>([
    [
      'the original headers',
      {
        headers: [
          { name: 'Subject', value: 'News' },
          { name: 'Message-ID', value: OWN },
        ],
      },
      delivery,
    ],
    ['headers in any case', { headers: [{ name: 'message-id', value: OWN }] }, delivery],
    ['the common headers', { commonHeaders: { messageId: OWN } }, delivery],
    [
      'a Message-ID of Amazon’s',
      { commonHeaders: { messageId: '<0102018b-5d3c-000000@eu-west-1.amazonses.com>' } },
      undefined,
    ],
    ['no headers', {}, undefined],
  ])('the delivery is known by %s', async (_, fields, expected) => {
    const [event] = await taken({ ...JSON.parse(COMPLAINT), mail: { ...mail, ...fields } });
    expect(event?.delivery).toEqual(expected);
    expect(event?.providerId).toBe('0102018b-5d3c-000000');
  });

  test.each<[string, object, string]>([
    ['a bounce without its part', { eventType: 'Bounce', mail }, '/bounce'],
    [
      'a bounce without a type',
      { eventType: 'Bounce', mail, bounce: { bouncedRecipients: [ADA] } },
      '/bounce/bounceType',
    ],
    [
      'a complaint without recipients',
      { eventType: 'Complaint', mail, complaint: {} },
      '/complaint/complainedRecipients',
    ],
    [
      'a recipient without an address',
      { eventType: 'Complaint', mail, complaint: { complainedRecipients: [{}] } },
      '/complaint/complainedRecipients/0/emailAddress',
    ],
    [
      'a delivery to no list',
      { eventType: 'Delivery', mail, delivery: { recipients: 'ada@reader.example' } },
      '/delivery/recipients',
    ],
    ['a delay without its part', { eventType: 'DeliveryDelay', mail }, '/deliveryDelay'],
    ['an event without its mail', { eventType: 'Complaint', ...complaint({}) }, '/mail'],
  ])('proven, but %s', async (_, event, pointer) => {
    await expect(taken(event)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Nothing was recorded'),
      faults: [{ pointer }],
    });
  });
});

describe('what is no message', () => {
  test('raw delivery, which has no signature', async () => {
    const { take, asked } = setUp();
    const headers = { 'x-amz-sns-rawdelivery': 'true' };
    await expect(take(COMPLAINT, headers)).rejects.toMatchObject({
      code: 'unproven',
      message: expect.stringContaining('turn raw message delivery off'),
    });
    await expect(take(await amazon.sign({ Message: COMPLAINT }), headers)).rejects.toMatchObject({ code: 'unproven' });
    expect(asked).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['no JSON', 'hello', 'must be JSON'],
    ['empty', '', 'must be JSON'],
    ['no object', 7, 'no message'],
    ['null', null, 'no message'],
    ['a list', [], 'no message'],
    ['an event without a message around it', COMPLAINT, 'no message'],
  ])('%s', async (_, body, text) => {
    const { take, asked } = setUp();
    await expect(take(body)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(text) });
    expect(asked).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['Type', 'Other', '/Type'],
    ['Type', undefined, '/Type'],
    ['MessageId', 'a/b', '/MessageId'],
    ['MessageId', '', '/MessageId'],
    ['TopicArn', undefined, '/TopicArn'],
    ['Message', { notificationType: 'Complaint' }, '/Message'],
    ['Timestamp', 1781265598, '/Timestamp'],
    ['SignatureVersion', '3', '/SignatureVersion'],
    ['SignatureVersion', 2, '/SignatureVersion'],
    ['Signature', null, '/Signature'],
    ['SigningCertURL', undefined, '/SigningCertURL'],
    ['SubscribeURL', 7, '/SubscribeURL'],
  ])('%s of %j', async (name, value, pointer) => {
    const { take, asked } = setUp();
    const message = { ...(await amazon.sign({ Message: COMPLAINT })), [name]: value };
    await expect(take(message)).rejects.toMatchObject({ code: 'invalid', faults: [{ pointer }] });
    expect(asked).toEqual([]);
  });
});

test.each<[string, string | undefined]>([
  [TOPIC, 'sns.eu-west-1.amazonaws.com'],
  ['arn:aws-cn:sns:cn-north-1:123456789012:bounces', 'sns.cn-north-1.amazonaws.com.cn'],
  ['arn:aws-us-gov:sns:us-gov-west-1:123456789012:bounces.fifo', 'sns.us-gov-west-1.amazonaws.com'],
  ['arn:aws:sns:s3-us-west-2:123456789012:bounces', undefined],
  ['arn:aws:sns:x.evil:123456789012:bounces', undefined],
  ['arn:aws:sns::123456789012:bounces', undefined],
  ['arn:aws:sqs:eu-west-1:123456789012:bounces', undefined],
  ['arn:aws:sns:eu-west-1:12345678901:bounces', undefined],
  ['arn:aws:sns:eu-west-1:123456789012:', undefined],
  ['arn:aws:sns:eu-west-1:123456789012:a:b', undefined],
  [` ${TOPIC}`, undefined],
  [`${TOPIC}\n`, undefined],
])('the host of %j', (arn, host) => {
  expect(snsHost(arn)).toBe(host);
});
