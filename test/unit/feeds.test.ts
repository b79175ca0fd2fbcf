import { describe, expect, test } from 'vitest';
import { renderBody } from '../../src/render/body.ts';
import { allComplaints, entries, entry, FORMATS, read, render } from '../support/feed-fixtures.ts';

const body = (html: string, url = 'https://lantern.example/articles/market') => renderBody({ html }, url).html;

describe.each(FORMATS)('%s', (format) => {
  test.each([
    ['a comparison and an arrow', 'Rent -> up & wages < prices', 'Rent -> up & wages < prices'],
    ['a tag', 'How the <em> tag works', 'How the <em> tag works'],
    ['references', '&amp; is not &, nor is &#38; or &nbsp;', '&amp; is not &, nor is &#38; or &nbsp;'],
    ['the end of a CDATA section, twice', 'a[b[0]]>c[d[1]]>e', 'a[b[0]]>c[d[1]]>e'],
    ['quotation marks', `"It's" done`, `"It's" done`],
    ['control characters', 'Form\u000Cfeed\u0010 and \uFFFE', 'Formfeed and'],
    ['half of a pair', 'Half \uD83D a smile, whole \u{1F600}', 'Half a smile, whole \u{1F600}'],
    ['line breaks', ' two\r\n\tlines ', 'two lines'],
    ['a C1 control', 'Windows\u0092s quote', 'Windowss quote'],
  ])('a title with %s arrives as typed', (_, title, right) => {
    const documents = render([entry({ title })], { title });
    expect(read(documents, format)).toMatchObject({ titles: [right], feedTitle: right });
  });

  test.each([
    ['markup', 'Use <b> & never <i>'],
    ['references', 'Write &lt; for <'],
    ['a script', '<script>alert(1)</script>'],
    ['the end of a CDATA section', 'x]]>y]]>z'],
  ])('a summary with %s arrives as typed', (_, summary) => {
    const documents = render([entry({ summary })]);
    expect(read(documents, format).summaries).toEqual([summary]);
    expect(allComplaints(documents)).toEqual([]);
  });

  test.each([
    ['control characters', '<p>one\u000Ctwo\u0010 three\uFFFF</p>', '<p>onetwo three</p>'],
    ['the end of a CDATA section, twice', '<pre>a[b[0]]&gt;1; c[d[0]]>2</pre>', '<pre>a[b[0]]&gt;1; c[d[0]]>2</pre>'],
    ['brackets at the end', '<p>a]]', '<p>a]]'],
    ['Windows line ends', '<pre>a\r\nb\rc</pre>', '<pre>a\nb\nc</pre>'],
    ['references', '<p>&amp;amp; &amp;lt;</p>', '<p>&amp;amp; &amp;lt;</p>'],
  ])('content with %s arrives whole', (_, html, right) => {
    expect(read(render([entry({ html })]), format).html).toEqual([right]);
  });

  test.each([
    ['an ampersand', 'r&d'],
    ['angle brackets', 'Map<K, V>'],
    ['quotation marks', 'so-called "art"'],
  ])('a topic with %s arrives as typed', (_, topic) => {
    const documents = render([entry({ topics: [topic, 'city', topic, ' '] })]);
    expect(read(documents, format).topics).toEqual([[topic, 'city']]);
    expect(allComplaints(documents)).toEqual([]);
  });

  test.each([
    ['a picture beside the page', '<img src="pics/a.png" alt="">', 'src="https://lantern.example/n/one/pics/a.png"'],
    [
      'a picture at two sizes',
      '<img src="a.png" srcset="a.png 1x, b.png 2x" alt="">',
      'https://lantern.example/n/one/b.png 2x',
    ],
    ['a path from the root', '<a href="/about">x</a>', 'href="https://lantern.example/about"'],
    ['a path upwards', '<a href="../two">x</a>', 'href="https://lantern.example/n/two"'],
    ['no scheme', '<img src="//cdn.example/a.png" alt="">', 'src="https://cdn.example/a.png"'],
    ['a footnote', '<a href="#n1">1</a>', 'href="https://lantern.example/n/one/#n1"'],
    ['a frame', '<iframe src="https://video.example/7"></iframe>', 'href="https://video.example/7"'],
  ])('an address in the content is absolute: %s', (_, html, right) => {
    const url = 'https://lantern.example/n/one/';
    const documents = render([entry({ url, html: body(html, url) })]);
    expect(read(documents, format).html[0]).toContain(right);
    expect(allComplaints(documents)).toEqual([]);
  });

  test('scripts and their like are gone', () => {
    const html = body('<p onclick="f()">a</p><script>alert(1)</script><style>p{}</style>');
    const documents = render([entry({ html })]);
    expect(read(documents, format).html).toEqual(['<p>a</p>']);
    expect(allComplaints(documents)).toEqual([]);
  });

  test.each([
    ['a tag URI', 'tag:lantern.example,2026:a/1'],
    ['a UUID in capitals', 'urn:uuid:9B2E4A0C-0000-4000-8000-00000000000A'],
    ['an address that a URL parser would change', 'HTTPS://Lantern.example:443/a/../b'],
    ['an address with an umlaut', 'https://lantern.example/straße/1'],
    ['an address with references', 'https://lantern.example/?p=1&amp;q=2'],
  ])('%s is the id to the letter, and no link', (_, id) => {
    const documents = render([entry({ id })]);
    expect(read(documents, format)).toMatchObject({ ids: [id], links: ['https://lantern.example/articles/market'] });
    expect(allComplaints(documents)).toEqual([]);
  });

  test.each([
    ['keeps having no slash', 'https://lantern.example/a', 'https://lantern.example/a'],
    ['keeps its slash', 'https://lantern.example/a/', 'https://lantern.example/a/'],
    ['keeps its query', 'https://lantern.example/?p=1&amp=2&amp;=3', 'https://lantern.example/?p=1&amp=2&amp;=3'],
    ['is ASCII', 'https://läntern.example/straße', 'https://xn--lntern-bua.example/stra%C3%9Fe'],
  ])('a link %s', (_, url, right) => {
    expect(read(render([entry({ url })]), format).links).toEqual([right]);
  });

  test('a new address and title keep the id', () => {
    const before = read(render([entry()]), format);
    const after = read(render([entry({ url: 'https://lantern.example/articles/better', title: 'Better' })]), format);
    expect(after.ids).toEqual(before.ids);
  });

  test('all authors are named', () => {
    const authors = [
      { name: 'Ann', email: 'ann@lantern.example' },
      { name: 'Bo', url: 'https://bo.example' },
    ];
    const documents = render([entry({ authors })]);
    expect(read(documents, format).authors).toEqual([['Ann', 'Bo']]);
    expect(allComplaints(documents)).toEqual([]);
  });

  test('entries stand newest first, equal times by id', () => {
    const list = [
      entry({ id: 'urn:x-test:b' }),
      entry({ id: 'urn:x-test:new', publishedAt: '2026-05-07T08:00:00Z' }),
      entry({ id: 'urn:x-test:a' }),
    ];
    expect(read(render(list), format).ids).toEqual(['urn:x-test:new', 'urn:x-test:a', 'urn:x-test:b']);
  });

  test('without a body the summary and a link stand in', () => {
    const documents = render([entry({ html: ' ', title: 'A & B', summary: 'x < y' })]);
    const right = '<p>x &lt; y</p>\n<p><a href="https://lantern.example/articles/market">Read on: A &amp; B</a></p>';
    expect(read(documents, format).html).toEqual([right]);
  });
});

describe('the feed as a whole', () => {
  test('hubs are named in every format', () => {
    const documents = render([entry()], { hubs: ['https://hub.example/', 'https://other.example/hub'] });
    expect(documents.rss).toContain('<atom:link rel="hub" href="https://hub.example/"/>');
    expect(documents.atom).toContain('<link rel="hub" href="https://other.example/hub"/>');
    expect(JSON.parse(documents.json).hubs[0]).toEqual({ type: 'WebSub', url: 'https://hub.example/' });
    expect(allComplaints(documents)).toEqual([]);
  });

  test('the clock changes nothing', () => {
    const list = entries(3);
    expect(render(list, {}, '2026-06-02T13:00:01Z')).toEqual(render(list));
  });

  test('what is due later is not there and moves no date', () => {
    const later = entry({
      id: 'urn:x-test:later',
      publishedAt: '2027-05-01T00:00:00Z',
      updatedAt: '2027-05-01T00:00:00Z',
    });
    expect(render([entry(), later])).toEqual(render([entry()]));
    expect(read(render([entry(), later], {}, '2027-05-01T00:00:00Z'), 'atom').ids).toContain('urn:x-test:later');
  });

  test.each([
    [
      'the newest update',
      [entry({ updatedAt: '2026-05-09T10:30:00Z' }), entry({ id: 'urn:x-test:2' })],
      undefined,
      '2026-05-09T10:30:00Z',
    ],
    ['a later removal', [entry()], '2026-05-20T00:00:00Z', '2026-05-20T00:00:00Z'],
    ['an earlier removal', [entry()], '2026-05-01T00:00:00Z', '2026-05-06T08:00:00Z'],
    [
      'the publication of what was edited before it',
      [entry({ updatedAt: '2026-05-01T00:00:00Z' })],
      undefined,
      '2026-05-06T08:00:00Z',
    ],
    ['a removal that left nothing', [], '2026-05-20T00:00:00Z', '2026-05-20T00:00:00Z'],
    ['nothing at all', [], undefined, '1970-01-01T00:00:00Z'],
  ])('its date is that of %s', (_, list, changedAt, right) => {
    const documents = render(list, changedAt === undefined ? {} : { changedAt });
    expect(documents.updatedAt).toBe(right);
    expect(documents.atom).toContain(`<updated>${right.replace('Z', '.000Z')}</updated>`);
    expect(documents.rss).toContain(`<lastBuildDate>${new Date(right).toUTCString()}</lastBuildDate>`);
    expect(allComplaints(documents)).toEqual([]);
  });

  test.each([
    ['title', { title: ' ' }],
    ['description', { description: '' }],
    ['language', { language: 'en_US!' }],
    ['hub', { hubs: ['hub.example'] }],
    ['time of change', { changedAt: 'yesterday' }],
    ['author', { author: { name: '', email: 'nobody' } }],
    ['home with an umlaut', { home: 'https://läntern.example' }],
  ])('a faulty %s leaves it valid', (_, meta) => {
    expect(allComplaints(render([entry()], meta))).toEqual([]);
  });

  test('a feed address or a time that is none is refused by name', () => {
    expect(() => render([], { home: '/topics/city' })).toThrow('"/topics/city" is no absolute http or https URL');
    expect(() => render([], {}, 'today')).toThrow('"today" is no date');
  });
});
