import { describe, expect, test } from 'vitest';
import { renderFeeds } from '../../src/render/feeds/documents.ts';
import { entry, META, NOW, render } from '../support/feed-fixtures.ts';

const json = (...list: Parameters<typeof render>[0]) => JSON.parse(render(list).json);

describe('RSS', () => {
  test.each([
    ['names authors without an address', '<dc:creator>Ines Roth</dc:creator>'],
    ['does not call the id a link', '<guid isPermaLink="false">urn:uuid:6f1d2c4e-0000-4000-8000-000000000001</guid>'],
    ['has the first publication as pubDate', '<pubDate>Wed, 06 May 2026 08:00:00 GMT</pubDate>'],
    ['tells of the update', '<atom:updated>2026-05-09T10:30:00Z</atom:updated>'],
    ['is as new as its newest change', '<lastBuildDate>Sat, 09 May 2026 10:30:00 GMT</lastBuildDate>'],
    ['has a language', '<language>en</language>'],
    ['names itself', '<atom:link href="https://lantern.example/rss.xml" rel="self" type="application/rss+xml"/>'],
    ['leads to its page', '<link>https://lantern.example/</link>'],
    ['has an editor with an address', '<managingEditor>mo@lantern.example (Mo Adeyemi)</managingEditor>'],
    ['writes references in hexadecimal', '<title>Q&#x26;A &#x3C;3</title>'],
  ])('%s', (_, right) => {
    expect(render([entry({ title: 'Q&A <3', updatedAt: '2026-05-09T10:30:00Z' })]).rss).toContain(right);
  });

  test('an id that is the very link is a permanent link', () => {
    const url = 'https://lantern.example/articles/market';
    expect(render([entry({ id: url, url })]).rss).toContain(`<guid>${url}</guid>`);
  });

  test('an entry without a summary has its content as description', () => {
    const { summary: _, ...bare } = entry({ html: '<p>All of it</p>' });
    const { rss } = render([bare]);
    expect(rss).toContain('<description><![CDATA[<p>All of it</p>]]></description>');
    expect(rss).not.toContain('<content:encoded>');
  });

  test('brackets in the name of an editor do not break its address', () => {
    const { rss } = render([], { author: { name: 'Mo (editor', email: 'mo@lantern.example' } });
    expect(rss).toContain('<managingEditor>mo@lantern.example (Mo editor)</managingEditor>');
  });

  test.each(['<author>', '<generator>', 'xml-stylesheet', '<atom:updated>'])('%s is not there', (text) => {
    expect(render([entry()]).rss).not.toContain(text);
  });
});

describe('Atom', () => {
  test.each([
    [
      'has a language',
      '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/" xml:lang="en">',
    ],
    ['has its page as id', '<id>https://lantern.example/</id>'],
    ['names itself', '<link rel="self" type="application/atom+xml" href="https://lantern.example/atom.xml"/>'],
    ['has plain titles', '<title>Q&#x26;A</title>'],
    ['has the first publication', '<published>2026-05-06T08:00:00.000Z</published>'],
    ['has the update', '<updated>2026-05-09T10:30:00.000Z</updated>'],
    ['labels topics', '<category term="city" label="The city"/>'],
    [
      'knows addresses of people',
      '<author><name>Ann</name><uri>https://ann.example/</uri><email>ann@lantern.example</email></author>',
    ],
    ['marks another language', '<entry xml:lang="de">'],
  ])('%s', (_, right) => {
    const authors = [{ name: 'Ann', email: 'ann@lantern.example', url: 'https://ann.example' }];
    const odd = entry({ title: 'Q&A', updatedAt: '2026-05-09T10:30:00Z', authors, language: 'de' });
    expect(render([odd], { topicTitles: { city: 'The city' } }).atom).toContain(right);
  });

  test('a topic without a title of its own has no label', () => {
    const { atom } = render([entry({ topics: ['constructor'] })], { topicTitles: {} });
    expect(atom).toContain('<category term="constructor"/>');
  });

  test('a feed without an author has its title as one', () => {
    const { author: _, ...meta } = META;
    const { atom } = renderFeeds({ ...meta, title: 'Lanterns' }, [entry({ authors: [] })], NOW);
    expect(atom.match(/<author>.*<\/author>/g)).toEqual(['<author><name>Lanterns</name></author>']);
  });
});

describe('JSON Feed', () => {
  test.each([
    ['version', 'https://jsonfeed.org/version/1.1'],
    ['language', 'en'],
    ['home_page_url', 'https://lantern.example/'],
    ['feed_url', 'https://lantern.example/feed.json'],
    ['authors', [{ name: 'Mo Adeyemi' }]],
    ['description', 'What happens after dark'],
  ])('has %s', (field, right) => {
    expect(json(entry())[field]).toEqual(right);
  });

  test('an item has everything 1.1 knows of it', () => {
    const full = entry({
      language: 'de',
      updatedAt: '2026-05-09T10:30:00Z',
      image: { url: 'https://lantern.example/c.jpg', alt: 'A stall' },
      attachments: [
        { url: 'https://lantern.example/a.mp3', type: 'audio/mpeg', length: 12, title: 'Talk', durationSeconds: 61.5 },
      ],
    });
    expect(json(full).items).toEqual([
      {
        id: full.id,
        url: full.url,
        title: 'Night market',
        summary: 'Stalls until two',
        content_html: '<p>Stalls stay open until two.</p>',
        image: 'https://lantern.example/c.jpg',
        date_published: '2026-05-06T08:00:00.000Z',
        date_modified: '2026-05-09T10:30:00.000Z',
        authors: [{ name: 'Ines Roth' }],
        tags: ['city'],
        language: 'de',
        attachments: [
          {
            url: 'https://lantern.example/a.mp3',
            mime_type: 'audio/mpeg',
            title: 'Talk',
            size_in_bytes: 12,
            duration_in_seconds: 61.5,
          },
        ],
      },
    ]);
  });

  test.each(['author', 'hubs', 'icon'])('%s is not there', (field) => {
    expect(json(entry())).not.toHaveProperty(field);
  });
});
