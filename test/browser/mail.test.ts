import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Direction } from '../../src/build/template-source.ts';
import { renderDigest } from '../../src/render/mail/digest.ts';
import { renderNotice } from '../../src/render/mail/notice.ts';
import { digestLtr, digestRtl } from '../../src/render/templates.gen.ts';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { digest, digestView, entries, entry, links, publication, reference } from '../support/mail.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const body = `<p>With <a href="https://a.example/">a link</a> and <code>code</code>.</p><blockquote><p>Said.</p></blockquote>
<pre><code>const line = 'a line of code that is far longer than the narrowest telephone is wide';</code></pre>
<table><thead><tr><th>Tide</th><th>Height</th></tr></thead><tbody><tr><td>High</td><td>3.2 m</td></tr></tbody></table>
<p>https://harbour.example/${'a'.repeat(120)}</p>
<p><img src="data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==" alt="Red" width="1600" height="900"></p>`;

/** Mails that between them use every part of both templates. */
const mails = {
  full: renderDigest({
    publication,
    digest: { ...digest, content: 'full', limits: { articles: 3 } },
    number: 7,
    articles: [entry(1, { html: body }), ...entries(8).slice(1)],
    intro: 'Good morning.',
    reason: 'The tide table was that of June.',
    date: '2026-03-13T08:00:00Z',
    links,
  }).html,
  summaries: renderDigest({
    publication,
    digest,
    number: 8,
    articles: entries(3),
    date: '2026-03-13T08:00:00Z',
    links,
  }).html,
  overflowing: digestLtr(digestView(4, 'ltr')),
  rightToLeft: digestRtl(digestView(4, 'rtl')),
  notice: renderNotice({
    publication,
    subject: 'An issue waits for you',
    paragraphs: ['Nothing is sent until you release it.'],
    button: {
      label: 'Look at it',
      url: `https://harbour.example/${'a'.repeat(100)}`,
    },
  }).html,
};
const everyMail = Object.entries(mails);

describe.skipIf(noBrowser !== undefined)('mail in a browser', { timeout: 30_000 }, () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());

  async function show(html: string, width: number, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
    await page.setViewportSize({ width, height: 700 });
    await page.emulateMedia({ colorScheme });
    await page.setContent(html);
  }

  async function picture(html: string): Promise<Buffer> {
    await show(html, 700);
    return page.screenshot({ fullPage: true });
  }

  const sizes = (['ltr', 'rtl'] as Direction[]).flatMap((direction) => {
    return [0, 1, 2, 4, 20].map((count) => [count, direction] as const);
  });
  test.each(sizes)('a compiled digest of %i articles (%s) looks like what mjml makes', async (count, direction) => {
    const view = digestView(count, direction);
    const ours = await picture((direction === 'rtl' ? digestRtl : digestLtr)(view));
    const theirs = await picture(await reference('digest', view, direction));
    expect(ours.equals(theirs)).toBe(true);
  });

  test.each(everyMail)('%s fits 320, 640 and 1200 pixels without scrolling sideways', async (_, html) => {
    for (const width of [320, 640, 1200]) {
      await show(html, width);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  });

  test.each(everyMail)('every text of %s has a contrast of 4.5 or more in both themes', async (_, html) => {
    for (const scheme of ['light', 'dark'] as const) {
      await show(html, 640, scheme);
      expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
    }
  });

  test('the contrast check finds what is faint', async () => {
    await show(mails.summaries.replaceAll('#635d52', '#8f897c'), 640);
    expect(await page.evaluate(FAINT_TEXTS)).not.toEqual([]);
  });

  test.each([
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(27, 28, 31)'],
  ] as const)('in the %s theme the sheet is %s', async (scheme, color) => {
    await show(mails.summaries, 640, scheme);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.sheet')).backgroundColor`)).toBe(color);
  });

  test.each(everyMail)('%s breaks no rule of WCAG 2 A and AA that axe knows', async (_, html) => {
    await show(html, 640);
    await page.evaluate(axe);
    const run = `axe.run({ runOnly: ['wcag2a', 'wcag2aa'] }).then(({ violations }) => violations.map(({ id }) => id))`;
    expect(await page.evaluate(run)).toEqual([]);
  });

  test('the text survives without any CSS', async () => {
    await show(mails.full.replace(/<style[\s\S]*?<\/style>| style="[^"]*"/g, ''), 320);
    const text = await page.evaluate('document.body.innerText');
    for (const part of ['Harbour Letters', 'Dispatch <1>', 'Dispatch <8>', 'Unsubscribe', '1 Quay Street']) {
      expect(text).toContain(part);
    }
  });
});

/** Runs in the page: texts whose contrast with the nearest background (WCAG 2, relative luminance) is below 4.5. */
const FAINT_TEXTS = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    const color = getComputedStyle(element).backgroundColor;
    if (channels(color)[3] !== 0) return color;
    return element.parentElement ? background(element.parentElement) : 'rgb(255, 255, 255)';
  };
  const faint = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (texts.currentNode.data.trim() === '') continue;
    const pair = [getComputedStyle(element).color, background(element)];
    const [dark, light] = pair.map(luminance).sort((a, b) => a - b);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < 4.5 && element.getClientRects().length > 0) faint.push([texts.currentNode.data, ...pair, ratio]);
  }
  return faint;
})()`;
