import { beforeAll, describe, expect, test } from 'vitest';
import {
  CERTIFICATE_URL,
  certificateOf,
  type Message,
  SUBSCRIBE_URL,
  sesReader,
  snsSigner,
  TOPIC,
} from '../support/sns.ts';

const NOW = '2026-06-12T12:00:00Z';
const HOST = 'https://sns.eu-west-1.amazonaws.com/';
const OTHER_CERTIFICATE_URL = `${HOST}SimpleNotificationService-ffffffffffffffffffffffffffffffff.pem`;
const CONFIRMATION = {
  Type: 'SubscriptionConfirmation',
  Message: 'You have chosen to subscribe.',
  SubscribeURL: SUBSCRIBE_URL,
  Token: 'abc123',
};

let amazon: Awaited<ReturnType<typeof snsSigner>>;
let stranger: Awaited<ReturnType<typeof snsSigner>>;
beforeAll(async () => {
  amazon = await snsSigner();
  stranger = await snsSigner();
});

/** A reader of events, and the Amazon that it asks. */
function setUp(pages: Parameters<typeof sesReader>[2] = {}) {
  return sesReader(amazon.certificate, NOW, pages);
}

/** An SES event that says what is enough to see that it was read. */
const COMPLAINT = JSON.stringify({
  notificationType: 'Complaint',
  complaint: { complainedRecipients: [{ emailAddress: 'ada@reader.example' }] },
  mail: { messageId: '0102018b-5d3c-000000' },
});
const TAKEN = [expect.objectContaining({ kind: 'complaint', email: 'ada@reader.example' })];

function unproven(text: string) {
  return { code: 'unproven', message: expect.stringContaining(text) };
}

describe('signature', () => {
  test.each<[string, Message]>([
    ['version 1', { SignatureVersion: '1' }],
    ['version 2', { SignatureVersion: '2' }],
    ['with a subject', { Subject: 'Amazon SES Email Event Notification' }],
    ['of a text beyond ASCII, over lines', { Message: `${COMPLAINT}\r\n \n` }],
    ['two hours old', { Timestamp: '2026-06-12T10:00:00.000Z' }],
    ['five minutes ahead', { Timestamp: '2026-06-12T12:05:00.000Z' }],
  ])('taken: %s', async (_, changes) => {
    const { take, asked } = setUp();
    expect(await take(await amazon.sign({ Message: COMPLAINT, ...changes }))).toEqual(TAKEN);
    expect(asked).toEqual([CERTIFICATE_URL]);
  });

  test('taken: a message whose absent fields are null, and one of unknown fields', async () => {
    const { take } = setUp();
    const message = await amazon.sign({ Message: COMPLAINT });
    expect(
      await take({ ...message, Subject: null, Token: null, UnsubscribeURL: `${HOST}?Action=Unsubscribe` }),
    ).toEqual(TAKEN);
  });

  test('taken: by a certificate without a version', async () => {
    const { take } = setUp({ [CERTIFICATE_URL]: certificateOf(amazon.spki, 1) });
    expect(await take(await amazon.sign({ Message: COMPLAINT }))).toEqual(TAKEN);
  });

  test.each<[string, Message]>([
    ['Message', { Message: COMPLAINT.replace('ada', 'bea') }],
    ['Message by a line more', { Message: `${COMPLAINT}\n` }],
    ['MessageId', { MessageId: 'da41e39f-ea4d-435a-b922-c6aae3915ebf' }],
    ['Subject', { Subject: 'Other news' }],
    ['Timestamp', { Timestamp: '2026-06-12T11:59:59.123Z' }],
    ['Timestamp in other words', { Timestamp: '2026-06-12T11:59:58.123+00:00' }],
    ['Type', { Type: 'UnsubscribeConfirmation' }],
    ['Type, to have a subscription confirmed', { Type: 'SubscriptionConfirmation', SubscribeURL: SUBSCRIBE_URL }],
    ['Token, which was not there', { Token: 'abc123' }],
    ['SubscribeURL, which was not there', { SubscribeURL: SUBSCRIBE_URL }],
    ['SignatureVersion', { SignatureVersion: '1' }],
    ['Signature', { Signature: btoa('nobody signed this') }],
    ['Signature, to nothing', { Signature: '' }],
    ['Signature, to no base64', { Signature: '!' }],
    ['SigningCertURL, to another certificate of Amazon', { SigningCertURL: OTHER_CERTIFICATE_URL }],
  ])('refused: altered %s', async (_, changes) => {
    const { take, asked, logged } = setUp({ [OTHER_CERTIFICATE_URL]: stranger.certificate });
    const message = await amazon.sign({ Message: COMPLAINT, Subject: 'News' });
    await expect(take({ ...message, ...changes })).rejects.toMatchObject(unproven('Signature does not match'));
    expect(asked).not.toContain(SUBSCRIBE_URL);
    expect(logged).toEqual([]);
  });

  test('refused: a subject taken away', async () => {
    const { Subject, ...message } = await amazon.sign({ Message: COMPLAINT, Subject: 'News' });
    expect(Subject).toBe('News');
    await expect(setUp().take(message)).rejects.toMatchObject(unproven('Signature does not match'));
  });

  test.each(['SubscribeURL', 'Token'])('refused: a confirmation with another %s', async (name) => {
    const { take, asked } = setUp();
    const message = await amazon.sign(CONFIRMATION);
    await expect(take({ ...message, [name]: `${message[name]}x` })).rejects.toMatchObject(
      unproven('Signature does not match'),
    );
    expect(asked).toEqual([CERTIFICATE_URL]);
  });

  test('refused: of another key', async () => {
    await expect(setUp().take(await stranger.sign({ Message: COMPLAINT }))).rejects.toMatchObject(
      unproven('Signature does not match'),
    );
  });

  test.each(['2026-06-12T09:59:59.999Z', '2026-06-12T12:05:01.000Z', '2025-06-12T12:00:00Z', '', 'today', '0'])(
    'refused before anything is fetched: of “%s”',
    async (Timestamp) => {
      const { take, asked } = setUp();
      await expect(take(await amazon.sign({ Timestamp }))).rejects.toMatchObject(unproven('Timestamp'));
      expect(asked).toEqual([]);
    },
  );

  test.each([
    'arn:aws:sns:eu-west-1:123456789012:mail-event',
    'arn:aws:sns:eu-west-1:123456789012:mail-events2',
    'arn:aws:sns:eu-west-1:999999999999:mail-events',
    'arn:aws:sns:eu-west-2:123456789012:mail-events',
    `${TOPIC}\n`,
    TOPIC.toUpperCase(),
    '',
  ])('refused before anything is fetched: of the topic “%s”', async (TopicArn) => {
    for (const message of [{ Message: COMPLAINT }, CONFIRMATION]) {
      const { take, asked } = setUp();
      await expect(take(await amazon.sign({ ...message, TopicArn }))).rejects.toMatchObject(unproven('TopicArn'));
      expect(asked).toEqual([]);
    }
  });
});

describe('certificate', () => {
  const NAME = CERTIFICATE_URL.slice(HOST.length);
  test.each([
    `https://evil.example/${NAME}`,
    `https://sns.eu-west-1.amazonaws.com.evil.example/${NAME}`,
    `https://evil.example/sns.eu-west-1.amazonaws.com/${NAME}`,
    `https://evil-sns.eu-west-1.amazonaws.com/${NAME}`,
    `https://sns.eu-west-1.amazonaws.com./${NAME}`,
    `https://sns.us-east-1.amazonaws.com/${NAME}`,
    `https://sns.eu-west-1.amazonaws.com.cn/${NAME}`,
    `https://s3.eu-west-1.amazonaws.com/bucket/${NAME}`,
    `http://sns.eu-west-1.amazonaws.com/${NAME}`,
    `ftp://sns.eu-west-1.amazonaws.com/${NAME}`,
    `https://sns.eu-west-1.amazonaws.com@evil.example/${NAME}`,
    `https://user@sns.eu-west-1.amazonaws.com/${NAME}`,
    `https://user:secret@sns.eu-west-1.amazonaws.com/${NAME}`,
    `https://sns.eu-west-1.amazonaws.com:8443/${NAME}`,
    `https://sns.eu-west-1.amazonaws.com:80/${NAME}`,
    `${HOST}folder/${NAME}`,
    `${HOST}/${NAME}`,
    `${HOST}folder%2f${NAME}`,
    `${HOST}..%2f${NAME}`,
    `${HOST}@evil.example/${NAME}`,
    `https://sns.eu-west-1.amazonaws.com\\@evil.example/${NAME}`,
    `${CERTIFICATE_URL}?Action=ConfirmSubscription`,
    `${HOST}?Action=Publish&Message=${NAME}`,
    `${HOST}?.pem`,
    `${CERTIFICATE_URL}#`,
    `${HOST}#.pem`,
    `${CERTIFICATE_URL}/..`,
    `${HOST}${NAME.replace('.pem', '.pem.txt')}`,
    `${HOST}${NAME.replace('.pem', '')}`,
    `${HOST}.pem`,
    HOST,
    NAME,
    `//sns.eu-west-1.amazonaws.com/${NAME}`,
    `data:,${NAME}`,
    '',
  ])('never fetched: “%s”', async (url) => {
    const { take, asked } = setUp({ [url]: stranger.certificate });
    const message = await stranger.sign({ Message: COMPLAINT, SigningCertURL: url });
    await expect(take(message)).rejects.toMatchObject(unproven('SigningCertURL must be'));
    expect(asked).toEqual([]);
  });

  test('a redirect is not followed', async () => {
    const evil = 'https://evil.example/certificate.pem';
    const { take, asked } = setUp({ [CERTIFICATE_URL]: { to: evil }, [evil]: stranger.certificate });
    const message = await stranger.sign({ Message: COMPLAINT });
    await expect(take(message)).rejects.toMatchObject(unproven('there is no certificate'));
    expect(asked).toEqual([CERTIFICATE_URL]);
  });

  const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
  test.each<[string, string | number]>([
    ['missing', 404],
    ['forbidden', 403],
    ['empty', ''],
    ['a page', '<!DOCTYPE html>'],
    ['a certificate of nothing', pem('')],
    ['no base64', pem('!!!!')],
    ['no DER', pem(btoa('hello'))],
    ['one that ends too early', pem('MIIDZjCC')],
    ['one without a key', pem('MAIwAA==')],
    ['one of endless length', pem('MIT/////')],
    ['a key of no known kind', certificateOf(Uint8Array.of(0x30, 0))],
  ])('refused: %s', async (_, page) => {
    const { take } = setUp({ [CERTIFICATE_URL]: page });
    await expect(take(await amazon.sign({ Message: COMPLAINT }))).rejects.toMatchObject(unproven('no certificate'));
  });

  test('refused: one longer than any', async () => {
    const { take } = setUp({ [CERTIFICATE_URL]: `${amazon.certificate}${'\n'.repeat(16_384)}` });
    await expect(take(await amazon.sign())).rejects.toMatchObject(unproven('no certificate'));
  });

  test('refused: the key of an elliptic curve', async () => {
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    if (!('publicKey' in pair)) throw new Error('no key pair');
    const spki = await crypto.subtle.exportKey('spki', pair.publicKey);
    if (!(spki instanceof ArrayBuffer)) throw new Error('no bytes');
    const { take } = setUp({ [CERTIFICATE_URL]: certificateOf(new Uint8Array(spki)) });
    await expect(take(await amazon.sign())).rejects.toMatchObject(unproven('RSA'));
  });

  test.each([500, 503, 429])(
    'SNS answers %i: no refusal, since it will call again; the next call is taken',
    async (status) => {
      const { take, pages } = setUp({ [CERTIFICATE_URL]: status });
      const message = await amazon.sign({ Message: COMPLAINT });
      const error: unknown = await take(message).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'Error', message: expect.stringContaining(`Amazon SNS answered ${status}`) });
      pages[CERTIFICATE_URL] = amazon.certificate;
      expect(await take(message)).toEqual(TAKEN);
    },
  );

  test('one that was missing is asked for again', async () => {
    const { take, pages } = setUp({ [CERTIFICATE_URL]: 404 });
    const message = await amazon.sign({ Message: COMPLAINT });
    await expect(take(message)).rejects.toMatchObject(unproven('no certificate'));
    pages[CERTIFICATE_URL] = amazon.certificate;
    expect(await take(message)).toEqual(TAKEN);
  });

  test('is fetched once for each hash', async () => {
    const { take, asked } = setUp();
    for (const SignatureVersion of ['1', '2', '2', '1'])
      expect(await take(await amazon.sign({ Message: COMPLAINT, SignatureVersion }))).toEqual(TAKEN);
    expect(asked).toEqual([CERTIFICATE_URL, CERTIFICATE_URL]);
  });

  test('many do not push each other out of what is kept for good', async () => {
    const urls = Array.from({ length: 9 }, (_, index) => `${HOST}${index}.pem`);
    const { take, asked } = setUp(Object.fromEntries(urls.map((url) => [url, amazon.certificate])));
    for (const SigningCertURL of [...urls, ...urls.slice(1), ...urls.slice(0, 1)])
      expect(await take(await amazon.sign({ Message: COMPLAINT, SigningCertURL }))).toEqual(TAKEN);
    expect(asked).toEqual([...urls, ...urls.slice(0, 1)]);
  });
});

describe('subscription', () => {
  test('is confirmed by one call of its address', async () => {
    const { take, asked, logged } = setUp();
    expect(await take(await amazon.sign(CONFIRMATION))).toEqual([]);
    expect(asked).toEqual([CERTIFICATE_URL, SUBSCRIBE_URL]);
    expect(logged).toEqual([]);
  });

  test.each([
    SUBSCRIBE_URL.replace('https:', 'http:'),
    SUBSCRIBE_URL.replace('sns.eu-west-1.amazonaws.com', 'evil.example'),
    SUBSCRIBE_URL.replace('eu-west-1.amazonaws.com', 'eu-west-1.amazonaws.com.evil.example'),
    SUBSCRIBE_URL.replace('sns.', 'user@sns.'),
    SUBSCRIBE_URL.replace('amazonaws.com/', 'amazonaws.com@evil.example/'),
    SUBSCRIBE_URL.replace('amazonaws.com/', 'amazonaws.com:8443/'),
    SUBSCRIBE_URL.replace('sns.eu-west-1', 'sns.us-east-1'),
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:8787/',
    '/?Action=ConfirmSubscription',
    '',
  ])('is not confirmed at “%s”', async (url) => {
    const { take, asked } = setUp({ [url]: 'welcome' });
    const message = await amazon.sign({ ...CONFIRMATION, SubscribeURL: url });
    await expect(take(message)).rejects.toMatchObject(unproven('SubscribeURL must lead to'));
    expect(asked).toEqual([CERTIFICATE_URL]);
  });

  test('without an address is refused', async () => {
    const { take, asked } = setUp();
    const { SubscribeURL, ...rest } = CONFIRMATION;
    expect(SubscribeURL).toBe(SUBSCRIBE_URL);
    await expect(take(await amazon.sign(rest))).rejects.toMatchObject(unproven('SubscribeURL must lead to'));
    expect(asked).toEqual([CERTIFICATE_URL]);
  });

  test.each([403, 404, 500])('that SNS answers with %i is an error, so that it tries again', async (status) => {
    const { take } = setUp({ [SUBSCRIBE_URL]: status });
    const error: unknown = await take(await amazon.sign(CONFIRMATION)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'Error', message: expect.stringContaining(`answered ${status}`) });
  });

  test('that leads elsewhere is not followed', async () => {
    const evil = 'https://evil.example/';
    const { take, asked } = setUp({ [SUBSCRIBE_URL]: { to: evil }, [evil]: 'welcome' });
    await expect(take(await amazon.sign(CONFIRMATION))).rejects.toThrow('answered 302');
    expect(asked).toEqual([CERTIFICATE_URL, SUBSCRIBE_URL]);
  });

  test('that ends is logged, and not taken up again', async () => {
    const { take, asked, logged } = setUp();
    expect(await take(await amazon.sign({ ...CONFIRMATION, Type: 'UnsubscribeConfirmation' }))).toEqual([]);
    expect(asked).toEqual([CERTIFICATE_URL]);
    expect(logged).toEqual([['Amazon SNS was told to send no more feedback', { topicArn: TOPIC }]]);
  });
});
