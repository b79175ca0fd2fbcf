import type { RootContent } from 'hast';
import { visit } from 'unist-util-visit';
import { expect, test } from 'vitest';
import { minifyCss } from '../../src/build/template-css.ts';
import type { Direction } from '../../src/build/template-source.ts';
import type { ConfirmationView, NoticeView } from '../../src/render/mail/views.ts';
import {
  confirmationLtr,
  confirmationRtl,
  digestLtr,
  digestRtl,
  noticeLtr,
  noticeRtl,
} from '../../src/render/templates.gen.ts';
import { digestView, parse, reference } from '../support/mail.ts';

const digestFill = { ltr: digestLtr, rtl: digestRtl };
const noticeFill = { ltr: noticeLtr, rtl: noticeRtl };
const directions: Direction[] = ['ltr', 'rtl'];

const sizes = directions.flatMap((direction) => [0, 1, 2, 4, 20].map((count) => [count, direction] as const));

test.each(sizes)('a compiled digest of %i articles (%s) is what mjml shows', async (count, direction) => {
  const view = digestView(count, direction);
  const expected = await reference('digest', view, direction);
  expect(await comparable(digestFill[direction](view))).toBe(await comparable(expected));
});

const notice: NoticeView = {
  lang: 'en',
  title: 'An issue waits for you',
  preheader: 'Harbour Letters',
  publication: 'Harbour Letters',
  home: 'https://harbour.example/',
  paragraphs: ['It has <5> articles.', 'Nothing is sent until then.'],
  button: {
    label: 'Look & release',
    url: 'https://harbour.example/preview?a=1&b=2',
  },
  buttonHelp: 'Or copy this address:',
  why: 'You are the editor.',
  links: [],
  address: [],
};
const { button: _, ...plainNotice } = notice;

test.each(directions.flatMap((direction) => [notice, plainNotice].map((view) => [direction, view] as const)))(
  'a compiled notice (%s) is what mjml shows',
  async (direction, view) => {
    const expected = await reference('notice', view, direction);
    expect(await comparable(noticeFill[direction](view))).toBe(await comparable(expected));
  },
);

const confirmation: ConfirmationView = {
  ...notice,
  heading: 'Is this <you>?',
  asked: 'Somebody asked for this:',
  digests: [{ title: 'The "Week"', description: 'Tides & gales.', rhythm: 'Every Friday' }, { title: 'The Month' }],
  button: { label: 'Yes & no', url: 'https://harbour.example/confirm/a?b=1&c=2' },
  valid: 'It works for a week.',
  notYou: 'Ignore it.',
  address: ['Harbour Letters', '1 Quay Street'],
};

test.each(directions)('a compiled confirmation (%s) is what mjml shows', async (direction) => {
  const fill = direction === 'rtl' ? confirmationRtl : confirmationLtr;
  const expected = await reference('confirmation', confirmation, direction);
  expect(await comparable(fill(confirmation))).toBe(await comparable(expected));
});

test('every part of the digest template is in use in the comparison', () => {
  const html = digestLtr(digestView(4, 'ltr'));
  for (const part of [
    'Correction',
    'Good morning.',
    'buoy',
    '<em>markup</em>',
    'Read on',
    'Also new',
    'rest?a=1&amp;b=2',
  ]) {
    expect(html).toContain(part);
  }
});

/** The document without comments and without what only white space and CSS minification change. */
async function comparable(html: string): Promise<string> {
  const tree = parse(html);
  const sheets: { value: string }[] = [];
  visit(tree, (node, index, parent) => {
    delete node.position;
    if (node.type === 'root') delete node.data;
    if (node.type !== 'text' && node.type !== 'comment') return undefined;
    const inSheet = parent?.type === 'element' && parent.tagName === 'style';
    if (inSheet && node.type === 'text') sheets.push(node);
    if (node.type === 'text' && !inSheet) node.value = node.value.replace(/[ \n\r\t]+/g, ' ').replace(/^ | $/g, '');
    if (parent === undefined || index === undefined || (node.type === 'text' && node.value !== '')) return undefined;
    (parent.children as RootContent[]).splice(index, 1);
    return index;
  });
  for (const sheet of sheets) sheet.value = await minifyCss(sheet.value);
  return JSON.stringify(tree, null, 1);
}
