import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import type { MailFields } from '../../src/domain/transport.ts';
import { fieldsTemplate, fillFields } from '../../src/render/mail/fields.ts';
import { type ComposeInput, composeMail } from '../../src/render/mail/mime.ts';
import { fillMail, slotMark } from '../../src/render/mail/slots.ts';

const nonce = '00112233445566778899aabbccddeeff';
const leave = slotMark('unsubscribe', nonce);
const first = slotMark('first', nonce);

const digest: ComposeInput = {
  from: { name: 'Harbour Letters', email: 'post@mail.harbour.example' },
  replyTo: 'desk@harbour.example',
  subject: 'A calm week',
  html: `<!doctype html><p title="${leave}">Hello <a href="${leave}">leave</a>${leave}${first}</p>`,
  text: `Hello\n\nLeave:\n${leave}\n${first}${leave} or not`,
  date: '2026-03-13T08:00:00Z',
  nonce,
  slots: ['first'],
  list: {
    id: 'weekly.harbour.example',
    title: 'The Week at Sea',
    archiveUrl: 'https://harbour.example/issues',
    feedbackId: '7:weekly:digest:broadside',
  },
  headers: { 'In-Reply-To': first, 'X-First': `first ${first}` },
};
const values = {
  to: 'reader@inbox.example',
  messageId: '<weekly.7.1.s1@mail.harbour.example>',
  unsubscribe: 'https://harbour.example/unsubscribe/abc?a=1&b=2',
  first: '<weekly.7.0.s1@mail.harbour.example>',
};

async function fieldsOf(input: ComposeInput, given: Record<string, string> = values): Promise<MailFields> {
  return fillFields(await fieldsTemplate(await composeMail(input)), given);
}

/** What a parser makes of the bytes that another transport would send. */
async function parsed(input: ComposeInput, given: Record<string, string> = values): Promise<MailFields> {
  const mail = await PostalMime.parse(fillMail(await composeMail(input), given));
  const elsewhere = ['date', 'from', 'to', 'subject', 'reply-to', 'mime-version', 'content-type'];
  const headers = mail.headers.filter(({ key }) => !elsewhere.includes(key));
  return {
    from: { name: mail.from?.name ?? '', email: mail.from?.address ?? '' },
    ...(mail.replyTo ? { replyTo: mail.replyTo[0]?.address ?? '' } : {}),
    subject: mail.subject ?? '',
    html: mail.html ?? '',
    text: mail.text ?? '',
    headers: Object.fromEntries(headers.map(({ originalKey, value }) => [originalKey, value])),
  };
}

test('of a digest: each field, exactly', async () => {
  expect(await fieldsOf(digest)).toEqual({
    from: { name: 'Harbour Letters', email: 'post@mail.harbour.example' },
    replyTo: 'desk@harbour.example',
    subject: 'A calm week',
    html:
      '<!doctype html><p title="https://harbour.example/unsubscribe/abc?a=1&amp;b=2">Hello ' +
      '<a href="https://harbour.example/unsubscribe/abc?a=1&amp;b=2">leave</a>' +
      'https://harbour.example/unsubscribe/abc?a=1&amp;b=2&lt;weekly.7.0.s1@mail.harbour.example&gt;</p>\n',
    text:
      'Hello\n\nLeave:\nhttps://harbour.example/unsubscribe/abc?a=1&b=2\n' +
      '<weekly.7.0.s1@mail.harbour.example>https://harbour.example/unsubscribe/abc?a=1&b=2 or not\n',
    headers: {
      'Message-ID': '<weekly.7.1.s1@mail.harbour.example>',
      'Auto-Submitted': 'auto-generated',
      'In-Reply-To': '<weekly.7.0.s1@mail.harbour.example>',
      'X-First': 'first <weekly.7.0.s1@mail.harbour.example>',
      Precedence: 'bulk',
      'List-ID': '"The Week at Sea" <weekly.harbour.example>',
      'List-Unsubscribe': '<https://harbour.example/unsubscribe/abc?a=1&b=2>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Archive': '<https://harbour.example/issues>',
      'Feedback-ID': '7:weekly:digest:broadside',
    },
  });
});

test('of a mail to one person: no reply-to, no list', async () => {
  const { replyTo, list, headers, ...letter } = digest;
  const fields = await fieldsOf({ ...letter, html: '<p>Hello</p>', text: 'Hello', slots: [] });
  expect(fields).not.toHaveProperty('replyTo');
  expect(fields.headers).toEqual({ 'Message-ID': values.messageId, 'Auto-Submitted': 'auto-generated' });
});

const HOSTILE_TITLES = [
  'Σήματα & «σημαίες»',
  'Pilots, "Tugs" \\ & Co. <x>',
  '帆'.repeat(90),
  '=?utf-8?Q?not_encoded?= by us',
  'boundary="broadside-ffffffffffffffffffffffffffffffff-Part_1"',
  'Content-Type: multipart/alternative; boundary=broadside-aaaaaaaaaaaaaaaa-Part_1',
  `${'many words '.repeat(40)}end`,
  slotMark('unsubscribe', 'f'.repeat(32)),
  '🌊',
];

test.each(HOSTILE_TITLES)('a title comes back, in headers as ASCII: %s', async (title) => {
  const input = {
    ...digest,
    from: { name: title.replaceAll('=?', '?'), email: 'post@mail.harbour.example' },
    subject: title,
    html: `<p>${title}</p>${digest.html}`,
    text: `${title}\n${digest.text}\n${title}`,
    list: { ...digest.list, id: 'weekly.harbour.example', title, archiveUrl: 'https://h.example/', feedbackId: 'a' },
  };
  const fields = await fieldsOf(input);
  expect(fields).toEqual(await parsed(input));
  expect(fields.from).toEqual(input.from);
  expect(fields.subject).toBe(title);
  expect(fields.text.endsWith(`${title}\n`)).toBe(true);
  for (const value of Object.values(fields.headers)) expect(value).toMatch(/^[ -~]*$/);
  expect(fields.headers['List-ID']).toMatch(/ <weekly\.harbour\.example>$/);
});

test.each([
  ['markup', '"><script>alert(1)</script>&amp;\'', '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&#39;'],
  ['quoted-printable', '=3D=\\=20=C3=A9', '=3D=\\=20=C3=A9'],
  ['an encoded-word', '=?utf-8?Q?=C3=A9?=', '=?utf-8?Q?=C3=A9?='],
  ['patterns of replacement', "$& $1 $' $$", '$&amp; $1 $&#39; $$'],
  ['spaces', '  a  ', '  a  '],
  ['nothing', '', ''],
  ['another mark', first, first],
  ['900 quotes', '"'.repeat(900), '&quot;'.repeat(900)],
])('a hostile value is a value: %s', async (_, value, html) => {
  const given = { to: value, messageId: value, unsubscribe: value, first: value };
  const fields = await fieldsOf(digest, given);
  expect(fields).toEqual(await parsed(digest, given));
  expect(fields.html).toContain(`<a href="${html}">leave</a>`);
  expect(fields.text).toContain(`Leave:\n${value}\n`);
});

test('any values and titles give what a parser makes of the bytes', async () => {
  const value = fc.string({ unit: 'grapheme-ascii', maxLength: 300 });
  const title = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
    .map((text) => text.replace(/\p{Cc}/gu, ''));
  await fc.assert(
    fc.asyncProperty(
      title,
      fc.record({ to: value, messageId: value, unsubscribe: value, first: value }),
      async (words, given) => {
        const input = { ...digest, subject: words, text: `${words}\n${digest.text}`, html: `${words}${digest.html}` };
        expect(await fieldsOf(input, given)).toEqual(await parsed(input, given));
      },
    ),
    { numRuns: 100 },
  );
});

describe('refused as by fillMail, with the slot named', () => {
  test.each([
    ['a line break', { ...values, unsubscribe: 'https://a.example/\r\nBcc: b@c.example' }, 'unsubscribe'],
    ['no ASCII', { ...values, to: 'é@inbox.example' }, 'to'],
    ['too long', { ...values, messageId: 'a'.repeat(901) }, 'messageId'],
    ['missing', { to: values.to, messageId: values.messageId, unsubscribe: values.unsubscribe }, 'first'],
  ])('%s', async (_, given, slot) => {
    const template = await composeMail(digest);
    const decoded = await fieldsTemplate(template);
    expect(() => fillFields(decoded, given)).toThrow(`mail slot "${slot}"`);
    expect(() => fillMail(template, given)).toThrow(`mail slot "${slot}"`);
  });

  test('a slot in the subject', async () => {
    const template = await composeMail({ ...digest, subject: leave });
    await expect(fieldsTemplate(template)).rejects.toThrow('From, Reply-To and Subject cannot hold slots');
  });
});

test('what is stored as JSON gives the same', async () => {
  const stored = JSON.parse(JSON.stringify(await composeMail(digest)));
  expect(fillFields(await fieldsTemplate(stored), values)).toEqual(await fieldsOf(digest));
});
