import { describe, expect, test } from 'vitest';
import { deliveryKey, deliveryMessageId } from '../../src/domain/delivery.ts';
import {
  deliveryOfKey,
  deliveryOfMessageId,
  detailOf,
  recipientOf,
  timeOf,
} from '../../src/platform/feedback-event.ts';

const SUBSCRIBER = '0b9c5f0e-6c1f-4c55-9d0a-3d8f5a1c2b7e';

describe('our own id comes back as the delivery', () => {
  // The atom of 日报 is 5pel5oql: it could be a slug. The slugs of the second row could be base64url.
  test.each([
    ...['weekly', 'woche', 'ärger', 'ねこ', '日报', 'weekly-ö', '週刊', 'еженедельник', 'ไทย', 'مجلة'],
    ...['acme', 'edit', '360', '24px', '2026', '24-7'],
  ])('%s', (digest) => {
    const delivery = { digest, number: 12, revision: 3, subscriberId: SUBSCRIBER };
    expect(deliveryOfKey(deliveryKey(delivery, SUBSCRIBER))).toEqual({ delivery });
    expect(deliveryOfMessageId(deliveryMessageId(delivery, SUBSCRIBER, 'news.example'))).toEqual({ delivery });
  });

  test.each(['weekly.12.3.ada@news.example', '<weekly.12.3.ada@news.example>', ' <weekly.12.3.ada@x>\r\n'])(
    'Message-ID %j',
    (id) => {
      const delivery = { digest: 'weekly', number: 12, revision: 3, subscriberId: 'ada' };
      expect(deliveryOfMessageId(id)).toEqual({ delivery });
    },
  );

  test.each([
    undefined,
    null,
    '',
    'weekly.12.3.ada',
    '<confirm-1@news.example>',
    '<weekly.12.ada@news.example>',
    '<weekly.12.x.ada@news.example>',
    '<weekly.12.3.ada.more@news.example>',
    '<weekly.12.3.@news.example>',
    '<wee kly.12.3.ada@news.example>',
  ])('another Message-ID: %j', (id) => {
    expect(deliveryOfMessageId(id)).toEqual({});
  });
});

test.each<[unknown[], string]>([
  [['Permanent/General', 'smtp; 550 5.1.1 user unknown'], 'Permanent/General: smtp; 550 5.1.1 user unknown'],
  [[undefined, null, '', ['a', 'b'], 7], 'a: b'],
  [['two\r\n\tlines\u0000'], 'two lines'],
  [['550 <ada@reader.example>... unknown'], '550 <(address)>... unknown'],
  [['for ada+news@reader.example: no'], 'for (address): no'],
  [['x'.repeat(600)], 'x'.repeat(500)],
  [[`${'x'.repeat(499)}😀`], `${'x'.repeat(499)}\ufffd`],
])('detail of %j', (parts, detail) => {
  expect(detailOf(...parts)).toBe(detail);
});

test.each([
  ['ada@reader.example', 'ada@reader.example'],
  ['Ada Byron <ada@reader.example>', 'ada@reader.example'],
  ['"<odd>" <ada@reader.example> ', 'ada@reader.example'],
])('recipient %j', (text, email) => {
  expect(recipientOf(text)).toBe(email);
});

test.each([
  ['2026-06-12T11:59:58.999Z', '2026-06-12T11:59:58Z'],
  ['2026-06-12T13:59:58+02:00', '2026-06-12T11:59:58Z'],
  ['soon', 'otherwise'],
  [undefined, 'otherwise'],
  [null, 'otherwise'],
])('time %j', (text, time) => {
  expect(timeOf(text, 'otherwise')).toBe(time);
});
