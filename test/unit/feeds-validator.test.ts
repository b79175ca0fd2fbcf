import { describe, expect, test } from 'vitest';
import { entry, META, render } from '../support/feed-fixtures.ts';
import { complaints, type FeedFormat } from '../support/feed-validator.ts';

const sound = render([
  entry({ attachments: [{ url: 'https://lantern.example/a.mp3', type: 'audio/mpeg', length: 5 }] }),
]);

/** The complaints about a sound document after one change. */
function afterChange(format: FeedFormat, from: string | RegExp, to: string): string[] {
  const changed = sound[format].replace(from, to);
  expect(changed).not.toBe(sound[format]);
  return complaints(format, changed, META.urls[format]);
}

describe('the validator that the other tests rely on', () => {
  test.each([
    ['not XML', /<\/channel>/, '', 'SAXError'],
    ['an unknown element', '<item>', '<item><author>Ines</author>', 'UndefinedElement'],
    ['an element twice', '<item>', '<item><title>x</title>', 'DuplicateElement'],
    ['no guid', /<guid.*<\/guid>/, '', 'MissingElement'],
    ['a blank title', /<item><title>[^<]*/, '<item><title> ', 'NotBlank'],
    ['text between elements', '<item>', '<item>x', 'UnexpectedText'],
    ['an unknown attribute', 'isPermaLink', 'permaLink', 'UnexpectedAttribute'],
    ['a missing attribute', 'length="5" ', '', 'MissingAttribute'],
    ['length 0', 'length="5"', 'length="0"', 'InvalidPositiveInteger'],
    ['no media type', 'audio/mpeg', 'audio', 'InvalidMIMEAttribute'],
    ['a relative link', /<item>(.*?)<link>[^<]*/, '<item>$1<link>/x', 'InvalidFullLink'],
    ['an ISO date', /<pubDate>[^<]*/, '<pubDate>2026-05-06', 'InvalidRFC2822Date'],
    ['the wrong weekday', '<pubDate>Wed', '<pubDate>Thu', 'IncorrectDOW'],
    ['an editor without a name', ' (Mo Adeyemi)', '', 'EmailFormat'],
    ['a bad language', '<language>en', '<language>english!', 'InvalidLanguage'],
    ['no self link', 'rel="self"', 'rel="hub"', 'MissingAtomSelfLink'],
    ['another self link', 'rss.xml" rel="self"', 'other.xml" rel="self"', 'SelfDoesntMatchLocation'],
    ['a relative reference', '<p>', '<p><a href="/x">x</a>', 'ContainsRelRef'],
    [
      'a relative candidate',
      '<p>',
      '<p><img src="https://x.example/a" srcset="https://x.example/a 1x, b 2x">',
      'ContainsRelRef',
    ],
    ['a script', '<p>', '<script>f()</script><p>', 'SecurityRisk'],
    ['a handler', '<p>', '<p onclick="f()">', 'SecurityRiskAttr'],
    ['a script for an address', '<p>', '<p><a href="javascript:f()">x</a>', 'SecurityRiskAttr'],
    ['an item twice', /(<item>.*<\/item>)/, '$1$1', 'DuplicateValue'],
    [
      'content before the description',
      /(<description>[^<]*<\/description>)(<content:encoded>.*<\/content:encoded>)/,
      '$2$1',
      'NeedDescriptionBeforeContent',
    ],
    ['an undeclared prefix', / xmlns:dc="[^"]*"/, '', 'MissingNamespace'],
    ['a C1 control', '<p>', '<p>\u0092', 'BadCharacters'],
  ])('RSS: %s', (_, from, to, code) => {
    expect(afterChange('rss', from, to).join('\n')).toContain(code);
  });

  test.each([
    ['another namespace', '2005/Atom', '2003/Atom', 'InvalidNamespace'],
    ['no language', ' xml:lang="en"', '', 'InvalidLanguage'],
    ['no update', /<updated>[^<]*<\/updated>/, '', 'MissingElement'],
    ['a date without a zone', /<updated>[^<]*/, '<updated>2026-05-06T08:00:00', 'InvalidRFC3339Date'],
    ['a day that does not exist', /<updated>[^<]*/, '<updated>2026-02-30T08:00:00Z', 'InvalidRFC3339Date'],
    ['an id that is no IRI', /<id>urn:uuid:/, '<id>', 'InvalidFullLink'],
    ['no self link', 'rel="self"', 'rel="hub"', 'MissingSelf'],
    ['two alternates', 'rel="enclosure"', 'rel="alternate"', 'DuplicateAtomLink'],
    ['an entry newer than the feed', /(<published>[^<]*<\/published><updated>)2026/, '$12027', 'X-FeedOlderThanEntry'],
    ['a title as HTML', '<entry><id>', '<entry><title type="html">x</title><id>', 'UnexpectedAttribute'],
    ['an author without a name', /<author><name>[^<]*<\/name>/, '<author>', 'MissingElement'],
    ['an entry twice', /(<entry>.*<\/entry>)/, '$1$1', 'DuplicateValue'],
  ])('Atom: %s', (_, from, to, code) => {
    expect(afterChange('atom', from, to).join('\n')).toContain(code);
  });

  test.each([
    ['not JSON', '{', '', 'J-NotJson'],
    ['an old version', '1.1', '1', 'J-OldVersion'],
    ['an old author', '"authors":[', '"author":[', 'J-DeprecatedAuthor'],
    ['no own address', /"feed_url":"[^"]*",/, '', 'J-SelfMismatch'],
    ['a number for an id', /"id":"[^"]*"/, '"id":7', 'J-NotAString'],
    ['an empty list', /"attachments":\[[^\]]*\]/, '"attachments":[]', 'J-BadAttachments'],
    ['no date', /"date_published":"[^"]*",/, '', 'J-Missing'],
    ['a size of 0', '"size_in_bytes":5', '"size_in_bytes":0', 'J-NotAPositiveInteger'],
    ['a relative reference', '<p>', "<p><img src='a.png'>", 'J-RelativeRef'],
    ['an unknown field', '"items"', '"next":1,"items"', 'J-UnknownField'],
    ['an item twice', /"items":\[(.*)\]/, '"items":[$1,$1]', 'J-DuplicateId'],
  ])('JSON Feed: %s', (_, from, to, code) => {
    expect(afterChange('json', from, to).join('\n')).toContain(code);
  });
});
