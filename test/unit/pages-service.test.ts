import { describe, expect, test } from 'vitest';
import { gonePage } from '../../src/render/pages/gone.tsx';
import { outboxMessagePage, outboxPage } from '../../src/render/pages/outbox.tsx';
import { type UnsubscribeView, unsubscribePage } from '../../src/render/pages/unsubscribe.tsx';
import { welcomePage } from '../../src/render/pages/welcome.tsx';
import { elements, linksOf, message, ofClass, parse, site, textOf } from '../support/pages.ts';

test.each([
  [
    'with a note',
    {
      withdrawnAt: '2026-05-08T00:00:00Z',
      withdrawalNote: 'It was another ferry.',
    },
    ['It was another ferry.'],
  ],
  ['without one', {}, []],
])('a withdrawn article, %s', (_, view, notes) => {
  const tree = parse(gonePage(site, view));
  expect(textOf(elements(tree, 'h1')[0])).toBe('This article was withdrawn');
  expect(ofClass(tree, 'quoted').map(textOf)).toEqual(notes);
  expect(elements(tree, 'time').map((time) => time.properties.dateTime)).toEqual(
    'withdrawnAt' in view ? [view.withdrawnAt] : [],
  );
});

describe('unsubscribe', () => {
  test.each<[UnsubscribeView, string, unknown[]]>([
    [{ state: 'ask', digest: 'The Weekly Tide', several: false }, 'Do you want to unsubscribe?', [{ method: 'post' }]],
    [{ state: 'done', digest: 'The Weekly Tide' }, 'You are unsubscribed', []],
    [{ state: 'unknown' }, 'This link is not one of ours', []],
  ])('%o', (view, heading, forms) => {
    const tree = parse(unsubscribePage(site, view));
    expect(textOf(elements(tree, 'h1')[0])).toBe(heading);
    expect(elements(tree, 'form').map(({ properties }) => ({ method: properties.method }))).toEqual(forms);
    expect(textOf(tree).includes('The Weekly Tide')).toBe(view.state !== 'unknown');
  });
});

describe('outbox', () => {
  test.each([
    ['a digest', message, 'digest weekly No. 12 · May 9, 2026 at 7:00 AM UTC'],
    ['a reissue', { ...message, revision: 2 }, 'digest weekly No. 12, revision 2 · May 9, 2026 at 7:00 AM UTC'],
    ['a note to the editor', withoutIssue('notice'), 'notice · May 9, 2026 at 7:00 AM UTC'],
  ])('lists %s', (_, of, line) => {
    const item = elements(parse(outboxPage(site, { messages: [of] })), 'main').flatMap((main) =>
      elements(main, 'li'),
    )[0];
    expect(linksOf(item)).toEqual([[message.subject, '/outbox/m1']]);
    expect(elements(item, 'p').map(textOf)).toEqual([message.subject, message.to, line]);
  });

  function withoutIssue(kind: 'notice') {
    const { digest: _, issue: __, revision: ___, ...rest } = message;
    return { ...rest, kind };
  }

  const headers = [{ name: 'Subject', value: '<b>Hi</b>' }];

  test('shows a message: HTML in a frame without rights, text, header, raw', () => {
    const tree = parse(
      outboxMessagePage(site, {
        message,
        headers,
        htmlPath: '/outbox/m1.html',
        text: 'A\n\n  B <b>',
      }),
    );
    const [frame] = elements(tree, 'iframe');
    expect(frame?.properties).toMatchObject({
      sandbox: [],
      src: '/outbox/m1.html',
    });
    expect(elements(tree, 'pre').map((pre) => pre.children)).toEqual([
      [expect.objectContaining({ value: 'A\n\n  B <b>' })],
    ]);
    expect(textOf(elements(tree, 'dl')[0])).toBe('Subject <b>Hi</b>');
    expect(linksOf(tree)).toContainEqual(['Raw message (.eml)', '/outbox/m1.eml']);
  });

  test('a message without HTML has no frame', () => {
    expect(elements(parse(outboxMessagePage(site, { message, headers, text: 'A' })), 'iframe')).toEqual([]);
  });
});

test('the welcome page says how to publish, and leads nowhere yet', () => {
  const tree = parse(welcomePage({ baseUrl: 'http://localhost:8787/' }));
  expect(textOf(elements(tree, 'pre')[0])).toBe('npm run publish -- my-letter --to http://localhost:8787/');
  expect(linksOf(tree).map(([, href]) => href)).toEqual(['#main']);
});
