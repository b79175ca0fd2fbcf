import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { type ComposeInput, composeMail } from '../../src/render/mail/mime.ts';
import { fillMail, slotMark } from '../../src/render/mail/slots.ts';

const nonce = '00112233445566778899aabbccddeeff';
const mark = slotMark('unsubscribe', nonce);
const values = {
  to: 'reader@inbox.example',
  messageId: '<weekly.7.1.s1@mail.harbour.example>',
  unsubscribe: `https://harbour.example/unsubscribe/${'AbC-_9'.repeat(30)}?a=1&b=2`,
};

const note: ComposeInput = {
  from: { name: 'Harbour Letters', email: 'post@mail.harbour.example' },
  subject: 'A calm week',
  html: `<!doctype html><p>Hello, <a href="${mark}">leave</a></p>`,
  text: `Hello\n\nLeave:\n${mark}\n`,
  date: '2026-03-13T08:00:00Z',
  nonce,
  slots: ['unsubscribe'],
};
const list = {
  id: 'weekly.harbour.example',
  title: 'The Week at Sea',
  archiveUrl: 'https://harbour.example/issues',
  feedbackId: '7:weekly:digest:broadside',
};
const letter: ComposeInput = { ...note, replyTo: 'desk@harbour.example', slots: [], list };

async function compose(fields: Partial<ComposeInput> = {}, base: ComposeInput = letter): Promise<string> {
  return fillMail(await composeMail({ ...base, ...fields }), values);
}

function headersOf(raw: string): [name: string, value: string][] {
  const unfolded = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n(?=[ \t])/g, '');
  return unfolded.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
}

describe('headers', () => {
  test('of a digest: each once, exactly these', async () => {
    expect(Object.fromEntries(headersOf(await compose()))).toEqual({
      'Message-ID': values.messageId,
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
      'List-ID': '"The Week at Sea" <weekly.harbour.example>',
      'List-Unsubscribe': `<${values.unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'List-Archive': '<https://harbour.example/issues>',
      'Feedback-ID': '7:weekly:digest:broadside',
      From: 'Harbour Letters <post@mail.harbour.example>',
      To: '<reader@inbox.example>',
      'Reply-To': 'desk@harbour.example',
      Subject: 'A calm week',
      Date: 'Fri, 13 Mar 2026 08:00:00 +0000',
      'MIME-Version': '1.0',
      'Content-Type': `multipart/alternative; boundary=broadside-${nonce}-Part_1`,
    });
  });

  test('of a mail to one person: none of a list', async () => {
    const names = headersOf(await compose({}, note)).map(([name]) => name);
    expect(names).toEqual([
      'Message-ID',
      'Auto-Submitted',
      'From',
      'To',
      'Subject',
      'Date',
      'MIME-Version',
      'Content-Type',
    ]);
  });

  test('stand once each', async () => {
    const names = headersOf(await compose()).map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  test('more may be given, with slots in them', async () => {
    const headers = { 'In-Reply-To': slotMark('first', nonce) };
    const template = await composeMail({ ...letter, slots: ['first'], headers });
    const raw = fillMail(template, { ...values, first: '<weekly.7.1.s0@harbour.example>' });
    expect(headersOf(raw)).toContainEqual(['In-Reply-To', '<weekly.7.1.s0@harbour.example>']);
  });

  test.each([
    ['Крепкий ветер 🌊 и очень длинная тема письма, которой не хватает одной строки заголовка'],
    ['نشرة الميناء: رسالة من البحر 🐚'],
    ['=?utf-8?Q?not_encoded?= by us'],
    ['"quoted", <angled> & (bracketed); a=b'],
    [`A subject of ${'many words '.repeat(30)}`.trim()],
  ])('a subject comes back: %s', async (subject) => {
    const raw = await compose({ subject });
    expect((await PostalMime.parse(raw)).subject).toBe(subject);
    const words = raw.match(/=\?utf-8\?[^?]+\?[^?]*\?=/gi) ?? [];
    for (const word of words) expect(word.length).toBeLessThanOrEqual(75);
  });

  test.each(['Σήματα & «σημαίες»', 'Pilots, "Tugs" & Co. <x>', '帆'.repeat(60)])(
    'names come back: %s',
    async (name) => {
      const raw = await compose({
        from: { name, email: 'post@mail.harbour.example' },
        list: { ...list, title: name },
      });
      const mail = await PostalMime.parse(raw);
      expect(mail.from).toEqual({ name, address: 'post@mail.harbour.example' });
      const header = headersOf(raw).find(([key]) => key === 'List-ID')?.[1] ?? '';
      const [phrase, id] = header.split(/ (?=<weekly)/);
      const decoded = (await PostalMime.parse(`Subject: ${phrase}\r\n\r\n`)).subject;
      expect(decoded?.replace(/^"|"$|\\(?=.)/g, '')).toBe(name);
      expect(id).toBe('<weekly.harbour.example>');
      for (const line of raw.slice(0, raw.indexOf('\r\n\r\n')).split('\r\n')) expect(line).toMatch(/^[\t -~]*$/);
    },
  );
});

describe('a line break in a header is refused, and the header named', () => {
  test.each([
    ['Subject', { subject: 'a\r\nBcc: x@y.example' }],
    ['Subject', { subject: 'a\nb' }],
    ['Subject', { subject: 'a\rb' }],
    ['Subject', { subject: 'a\u0000b' }],
    ['From', { from: { name: 'a\nb', email: 'a@b.example' } }],
    ['From', { from: { name: 'a', email: 'a@b.example\r\nBcc: x@y.example' } }],
    ['Reply-To', { replyTo: 'a@b.example\nBcc: x@y.example' }],
    ['List-Id', { list: { ...list, title: 'a\r\nb' } }],
    ['List-Id', { list: { ...list, id: 'a.example\n' } }],
    ['List-Archive', { list: { ...list, archiveUrl: 'https://a.example/\r\nX: y' } }],
    ['List-Archive', { list: { ...list, archiveUrl: 'https://a.example/é' } }],
    ['Feedback-ID', { list: { ...list, feedbackId: 'a\nb' } }],
    ['X-Thing', { headers: { 'X-Thing': 'a\nb' } }],
    ['Date', { date: 'today' }],
  ])('%s (%j)', async (name, fields) => {
    await expect(composeMail({ ...letter, ...fields })).rejects.toThrow(new RegExp(`^mail header ${name}: `, 'i'));
  });
});

describe('a value', () => {
  test.each([
    ['is missing', {}, 'mail slot "unsubscribe": no value was given'],
    [
      'holds a line break',
      { unsubscribe: 'a\r\nb' },
      'mail slot "unsubscribe": only printable ASCII on one line is allowed',
    ],
    [
      'is not ASCII',
      { unsubscribe: 'https://é.example/' },
      'mail slot "unsubscribe": only printable ASCII on one line is allowed',
    ],
    ['is too long', { unsubscribe: 'a'.repeat(901) }, 'mail slot "unsubscribe": at most 900 characters are allowed'],
  ])('that %s is refused', async (_, given, message) => {
    const template = await composeMail(letter);
    expect(() =>
      fillMail(template, {
        to: values.to,
        messageId: values.messageId,
        ...given,
      }),
    ).toThrow(message);
  });

  test('fills header, text and HTML, in HTML as HTML', async () => {
    const raw = await compose();
    const mail = await PostalMime.parse(raw);
    expect(headersOf(raw)).toContainEqual(['List-Unsubscribe', `<${values.unsubscribe}>`]);
    expect(mail.text?.split('\n')).toContain(values.unsubscribe);
    expect(mail.html).toContain(`href="${values.unsubscribe.replace('&', '&amp;')}"`);
  });

  test('survives quoted-printable at any place of a text', async () => {
    const piece = fc.string({
      unit: fc.constantFrom('a', ' ', '=', '.', 'é', '𝔉', '\n', '-', 'zq', '0'),
      maxLength: 120,
    });
    const pieces = fc.array(piece, { minLength: 2, maxLength: 10 });
    const value = fc.string({ unit: fc.constantFrom('a', '=', '&', '/', '.', '-', ' ', '"', '<'), maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(pieces, value, async (around, unsubscribe) => {
        const template = await composeMail({ ...note, text: around.join(mark), html: around.join(`<p>${mark}</p>`) });
        const raw = fillMail(template, { ...values, unsubscribe });
        const escaped = unsubscribe.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
        const expected = [around.join(unsubscribe), around.join(`<p>${escaped}</p>`)];
        expect(partsOf(raw).map(decodeQuotedPrintable)).toEqual(expected);
        for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
      }),
      { numRuns: 400 },
    );
  });
});

describe('the message', () => {
  test('is multipart/alternative, text first, CRLF throughout, no line over 998', async () => {
    const raw = await compose({
      html: `<p>${'ü'.repeat(5000)}</p>`,
      text: `${'ü'.repeat(5000)}\n.\nFrom me\n`,
    });
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(raw.match(/^Content-Type: text\/\w+; charset=utf-8\r$/gm)).toEqual([
      'Content-Type: text/plain; charset=utf-8\r',
      'Content-Type: text/html; charset=utf-8\r',
    ]);
    expect(raw.match(/^Content-Transfer-Encoding: quoted-printable\r$/gm)).toHaveLength(2);
  });

  test('an article that looks like MIME does not end a part', async () => {
    const text = `--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${mark}`;
    const mail = await PostalMime.parse(await compose({ text }));
    expect(mail.text).toContain('Content-Type: text/html');
    expect(mail.text).toContain(values.unsubscribe);
    expect(mail.attachments).toEqual([]);
  });

  test('equal input gives equal bytes; the template is plain data', async () => {
    const template = await composeMail(letter);
    expect(await composeMail(letter)).toEqual(template);
    const stored = JSON.parse(JSON.stringify(template));
    expect(fillMail(stored, values)).toBe(fillMail(template, values));
  });

  test('two recipients differ in their own values alone', async () => {
    const template = await composeMail(letter);
    const other = {
      to: 'b@c.example',
      messageId: '<2@c.example>',
      unsubscribe: 'https://harbour.example/unsubscribe/2',
    };
    const swapped = fillMail(template, values).replaceAll('=\r\n', '');
    expect(swapped).not.toContain(mark);
    expect(fillMail(template, other).replaceAll('=\r\n', '')).toBe(
      swapped
        .replace(values.to, other.to)
        .replace(values.messageId, other.messageId)
        .replaceAll(/https:\/\/harbour\.example\/unsubscribe\/[^>\s"]+/g, other.unsubscribe),
    );
  });
});

test.each([
  ['un_sub', nonce],
  ['', nonce],
  ['unsubscribe', 'short'],
  ['unsubscribe', 'UPPER-CASE-AND-MORE'],
])('slotMark refuses the name "%s" with the nonce "%s"', (name, given) => {
  expect(() => slotMark(name, given)).toThrow(/are allowed$/);
});

/** The two bodies, still encoded. */
function partsOf(raw: string): string[] {
  const boundary = `--broadside-${nonce}-Part_1`;
  const parts = raw.split(`\r\n${boundary}`).slice(1);
  return parts.slice(0, 2).map((part) => part.slice(part.indexOf('\r\n\r\n') + 4));
}

/** RFC 2045 section 6.7, by the letter. */
function decodeQuotedPrintable(encoded: string): string {
  const bytes = encoded
    .replaceAll('=\r\n', '')
    .replaceAll('\r\n', '\n')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
