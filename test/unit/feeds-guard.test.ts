import { describe, expect, test } from 'vitest';
import type { Attachment, Entry, Image } from '../../src/domain/article.ts';
import { allComplaints, entry, FORMATS, read, render } from '../support/feed-fixtures.ts';

const good = entry({ id: 'urn:x-test:good', title: 'Good' });
const first = (odd: Partial<Entry>) => JSON.parse(render([entry(odd)]).json).items[0];

describe('a faulty entry never takes the feed down', () => {
  test.each<[string, Partial<Entry>, keyof Entry]>([
    ['an id that is none', { id: 'post 7' }, 'id'],
    ['an empty id', { id: '' }, 'id'],
    ['an id with a control character', { id: 'urn:x-test:\u0001' }, 'id'],
    ['a relative address', { url: '/articles/7' }, 'url'],
    ['an address for a program', { url: 'javascript:alert(1)' }, 'url'],
    ['a date in quotes', { publishedAt: '"2026-05-06T08:00:00Z"' }, 'publishedAt'],
    ['a word for a date', { publishedAt: 'soon' }, 'publishedAt'],
    ['a number for a date', { publishedAt: '5' }, 'publishedAt'],
    ['a day that does not exist', { publishedAt: '2026-02-30T08:00:00Z' }, 'publishedAt'],
    ['no date', { publishedAt: '' }, 'publishedAt'],
    ['a date out of range', { publishedAt: '9999-12-31T23:59:59-10:00' }, 'publishedAt'],
  ])('%s: it is left out', (_, odd, field) => {
    const documents = render([entry(odd), good]);
    for (const format of FORMATS) expect(read(documents, format).titles).toEqual(['Good']);
    expect(documents.errors).toEqual([
      { id: expect.any(String), field, message: expect.stringContaining('the entry is left out') },
    ]);
    expect(allComplaints(documents)).toEqual([]);
  });

  test.each<[string, Partial<Entry>, keyof Entry]>([
    ['a bad date of update', { updatedAt: 'Invalid Date' }, 'updatedAt'],
    ['no title', { title: '\u0007 ' }, 'title'],
    ['a bad language', { language: 'english (uk)' }, 'language'],
    ['a bad picture address', { image: { url: 'c.jpg', alt: '' } }, 'image'],
    ['an attachment without an address', { attachments: [{ url: '', type: 'audio/mpeg', length: 1 }] }, 'attachments'],
    [
      'an attachment of no known type',
      { attachments: [{ url: 'https://x.example/a', type: 'audio', length: 1 }] },
      'attachments',
    ],
    ['an author without a name', { authors: [{ name: ' ' }] }, 'authors'],
    ['an author with a bad address', { authors: [{ name: 'Ann', email: 'ann at x' }] }, 'authors'],
    ['an author with a bad page', { authors: [{ name: 'Ann', url: 'ann.example' }] }, 'authors'],
  ])('%s: it is repaired', (_, odd, field) => {
    const documents = render([entry({ ...odd, publishedAt: '2026-05-07T08:00:00Z' }), good]);
    for (const format of FORMATS) expect(read(documents, format).ids).toEqual([entry().id, good.id]);
    expect(documents.errors).toMatchObject([{ id: entry().id, field }]);
    expect(allComplaints(documents)).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['first', '2026-05-08T00:00:00Z', '2026-05-07T00:00:00Z'],
    ['second', '2026-05-07T00:00:00Z', '2026-05-08T00:00:00Z'],
    ['first', '2026-05-07T00:00:00Z', '2026-05-07T00:00:00Z'],
  ])('one id twice is written once: the %s', (right, ...dates) => {
    const twice = dates.map((updatedAt, index) => entry({ title: index === 0 ? 'first' : 'second', updatedAt }));
    const documents = render(twice);
    for (const format of FORMATS) expect(read(documents, format).titles).toEqual([right]);
    expect(documents.errors).toMatchObject([{ id: entry().id, field: 'id' }]);
  });
});

test.each([
  ['UTC', '2026-05-06T08:00:00Z', '2026-05-06T08:00:00.000Z'],
  ['an offset', '2026-05-06T10:00:00+02:00', '2026-05-06T08:00:00.000Z'],
  ['parts of a second', '2026-05-06T08:00:00.999Z', '2026-05-06T08:00:00.000Z'],
  ['no seconds', '2026-05-06T08:00Z', '2026-05-06T08:00:00.000Z'],
  ['no zone', '2026-05-06 08:00:00', '2026-05-06T08:00:00.000Z'],
  ['no time', ' 2026-05-06 ', '2026-05-06T00:00:00.000Z'],
  ['small letters', '2026-05-06t08:00:00z', '2026-05-06T08:00:00.000Z'],
])('a date with %s is understood', (_, publishedAt, right) => {
  expect(first({ publishedAt, updatedAt: publishedAt })).toMatchObject({ date_published: right, date_modified: right });
});

test.each<[string, Partial<Entry>, string]>([
  [
    'the summary',
    { summary: 'Rain came early. The stalls closed before midnight, and hardly anybody who was there minded.' },
    'Rain came early.',
  ],
  ['the body', { summary: '', html: '<p>Rain &amp; wind.</p><p>Then sun.</p>' }, 'Rain & wind. Then sun.'],
  ['the address', { summary: '', html: '<img src="https://lantern.example/a.png" alt="">' }, entry().url],
])('a title that is missing is made of %s', (_, odd, right) => {
  expect(first({ ...odd, title: '' }).title).toBe(right);
});

describe('attachments', () => {
  const audio: Attachment = { url: 'https://lantern.example/a.mp3', type: 'audio/mpeg', length: 4096 };
  const rss = (...attachments: Attachment[]) => render([entry({ attachments })]).rss;

  test.each([
    ['a registered type', 'audio/ogg', 'https://lantern.example/a', 'audio/ogg'],
    ['a common mistake', 'image/jpg', 'https://lantern.example/a', 'image/jpeg'],
    ['capitals and parameters', 'Audio/MP3; codecs=x', 'https://lantern.example/a', 'audio/mpeg'],
    ['no type, a known extension', '', 'https://lantern.example/a.M4A?x=1', 'audio/mp4'],
    ['half a type, a known extension', 'jpg', 'https://lantern.example/a.jpg', 'image/jpeg'],
  ])('%s gives a media type', (_, type, url, right) => {
    expect(first({ attachments: [{ url, type, length: 1 }] }).attachments[0].mime_type).toBe(right);
  });

  test.each([
    [
      'one with a length is the enclosure',
      [audio],
      '<enclosure url="https://lantern.example/a.mp3" length="4096" type="audio/mpeg"/>',
    ],
    [
      'one without is not',
      [{ ...audio, length: 0 }],
      '<media:content url="https://lantern.example/a.mp3" type="audio/mpeg"/>',
    ],
    [
      'the second is Media RSS',
      [audio, { ...audio, url: 'https://lantern.example/b.mp3', title: 'B & C', durationSeconds: 59.6 }],
      '<media:content url="https://lantern.example/b.mp3" fileSize="4096" type="audio/mpeg" duration="60"><media:title type="plain">B &#x26; C</media:title></media:content>',
    ],
  ])('RSS: %s', (_, attachments, right) => {
    expect(rss(...attachments)).toContain(right);
    expect(rss(...attachments).split('<enclosure').length).toBeLessThanOrEqual(2);
    expect(allComplaints(render([entry({ attachments })]))).toEqual([]);
  });

  test('Atom links to all of them', () => {
    const { atom } = render([
      entry({
        attachments: [
          { ...audio, title: 'A "b"' },
          { ...audio, length: -1 },
        ],
      }),
    ]);
    expect(atom).toContain(
      '<link rel="enclosure" type="audio/mpeg" length="4096" title="A &#x22;b&#x22;" href="https://lantern.example/a.mp3"/>' +
        '<link rel="enclosure" type="audio/mpeg" href="https://lantern.example/a.mp3"/>',
    );
  });
});

describe('a cover picture', () => {
  const cover: Image = { url: 'https://lantern.example/c.jpg', alt: '' };
  test.each<[string, Image, string]>([
    ['of unknown size', cover, '<media:content url="https://lantern.example/c.jpg" type="image/jpeg" medium="image"/>'],
    ['of an unregistered type', { ...cover, type: 'image/jpg', length: 0 }, 'type="image/jpeg" medium="image"/>'],
    [
      'of a type that is no picture',
      { ...cover, url: 'https://lantern.example/c', type: 'text/html' },
      'c" medium="image"/>',
    ],
    [
      'with everything known',
      { ...cover, alt: 'A "stall" & more', width: 640, height: 480, length: 9000, type: 'image/webp' },
      '<media:content url="https://lantern.example/c.jpg" fileSize="9000" type="image/webp" medium="image" height="480" width="640">' +
        '<media:description type="plain">A "stall" &#x26; more</media:description></media:content>' +
        '<media:thumbnail url="https://lantern.example/c.jpg" height="480" width="640"/>',
    ],
    [
      'with measures that are none',
      { ...cover, width: 0, height: -1.5 },
      '<media:thumbnail url="https://lantern.example/c.jpg"/>',
    ],
  ])('%s is shown and is no enclosure', (_, image, right) => {
    const documents = render([entry({ image })]);
    for (const format of ['rss', 'atom'] as const) {
      expect(documents[format]).toContain(right);
      expect(documents[format]).not.toMatch(/enclosure|image\/jpg|length="0"/);
    }
    expect(JSON.parse(documents.json).items[0].image).toBe(image.url);
    expect(allComplaints(documents)).toEqual([]);
  });
});
