import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageCssHash } from '../../src/render/templates.gen.ts';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { choice, everyPage, open, siteIn, subscriptionPages } from '../support/pages.ts';

const POLICY = `default-src 'none'; style-src '${pageCssHash}'; img-src https: data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
const MAIL = '<!doctype html><html lang="en"><title>Mail</title><body><main><h1>A calm week</h1></main></body></html>';
const WCAG: RunOptions = {
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  },
};
const COLOURS: RunOptions = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

const RIGHT_TO_LEFT = [
  'home',
  'article',
  'issue',
  'feeds',
  'subscribe, faulty',
  'confirm, expired',
  'preferences, suppressed and faulty',
];

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pages = [
  ...everyPage(open),
  ...subscriptionPages(choice).map(([name, html]): [string, string] => [`${name}, of several`, html]),
  ...everyPage(siteIn('ar', choice))
    .filter(([name]) => RIGHT_TO_LEFT.includes(name))
    .map(([name, html]): [string, string] => [`${name}, right to left`, html]),
];

describe.skipIf(noBrowser !== undefined)('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let shown = '';
  let complaints: string[] = [];

  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
    const type = 'text/html; charset=utf-8';
    await page.route('**/*', (route) => route.abort());
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
    await page.route('**/outbox/m1.html', (route) => route.fulfill({ contentType: type, body: MAIL }));
    await page.route('**/page', (route) =>
      route.fulfill({
        headers: { 'content-type': type, 'content-security-policy': POLICY },
        body: shown,
      }),
    );
  });

  afterAll(() => browser?.close());

  /** Shows a document as the site would: over HTTP, with the policy in force. */
  async function show(html: string, width: number): Promise<void> {
    shown = html;
    complaints = [];
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('http://pages.test/page');
  }

  /** What axe finds fault with, and the rules it had occasion to apply without one. */
  async function audit(options: RunOptions): Promise<{ faults: string[]; passed: string[] }> {
    const { violations, passes } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    return {
      faults: violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`)),
      passed: passes.map(({ id }) => id),
    };
  }

  test.each(pages)('%s has no barrier that axe can find, light or dark', async (_, html) => {
    await show(html, 1280);
    await page.evaluate(axe);
    const light = await audit(WCAG);
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await audit(COLOURS);
    expect([light.faults, dark.faults]).toEqual([[], []]);
    for (const { passed } of [light, dark]) expect(passed).toContain('color-contrast');
  });

  test.each(pages)('%s fits every screen, and keeps to its policy', async (_, html) => {
    await show(html, 320);
    for (const width of [320, 360, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(needed, `width ${width}`).toBe(width);
    }
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('flex');
    expect(complaints).toEqual([]);
  });

  test('a keyboard reaches the text first, and sees where it is', async () => {
    await show(pages[0]?.[1] ?? '', 1280);
    await page.keyboard.press('Tab');
    const focus = page.locator(':focus');
    expect(await focus.getAttribute('href')).toBe('#main');
    expect((await focus.boundingBox())?.y).toBe(0);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focus.textContent()).toBe('The ferry leaves on time');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  });
});
