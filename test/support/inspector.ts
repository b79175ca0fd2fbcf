import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, Response } from 'playwright-core';

/** The narrowest screen that WCAG 2.2 (1.4.10) asks for, and a common phone. */
const WIDTHS = [320, 390];
const WCAG: RunOptions = {
  runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
};
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A second browser profile that is shown what a reader was shown, and says what is wrong with it. */
export interface Inspector {
  /** Every fault of a page, light and dark; none when it is in order. */
  faultsOf(document: Response): Promise<string[]>;
}

/**
 * Here scripts run, as axe needs; in the reader's own profile none does. The page is shown under its own address and
 * policy from the bytes that the reader got, so that pages behind a POST can be looked at without sending it again.
 *
 * @param base where everything has to come from
 */
export async function newInspector(browser: Browser, base: string): Promise<Inspector> {
  const context = await browser.newContext();
  const strayed = await keepTo(context, base);
  const page = await context.newPage();
  let complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });

  async function barriers(colorScheme: 'light' | 'dark'): Promise<string[]> {
    await page.emulateMedia({ colorScheme });
    const { violations, passes } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(WCAG)})`);
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${colorScheme}: ${id}: ${html}`));
    return passes.some(({ id }) => id === 'color-contrast') ? found : [...found, `${colorScheme}: axe saw no text`];
  }

  async function overflow(width: number): Promise<string[]> {
    await page.setViewportSize({ width, height: 844 });
    const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
    return needed > width ? [`needs ${needed} of ${width} px`] : [];
  }

  return {
    async faultsOf(document) {
      complaints = [];
      strayed.length = 0;
      const { 'content-type': type = '', 'content-security-policy': policy = '' } = await document.allHeaders();
      const headers = { 'content-type': type, 'content-security-policy': policy };
      const body = await document.body();
      await page.route(document.url(), (route) => route.fulfill({ headers, body }), { times: 1 });
      await page.goto(document.url());
      const faults = policy === '' ? ['no Content-Security-Policy'] : [];
      for (const width of WIDTHS) faults.push(...(await overflow(width)));
      // Before axe comes: what it asks of sandboxed frames is refused, and that is said on the console.
      faults.push(...complaints, ...strayed.map((url) => `asked for ${url}`));
      await page.evaluate(axe);
      faults.push(...(await barriers('light')), ...(await barriers('dark')));
      return faults;
    },
  };
}

/** Refuses requests to another origin and gives back the list in which they will be found. Nothing is cached then. */
export async function keepTo(context: BrowserContext, base: string): Promise<string[]> {
  const strayed: string[] = [];
  await context.route('**/*', (route, request) => {
    if (request.url().startsWith(base)) return route.continue();
    strayed.push(request.url());
    return route.abort();
  });
  return strayed;
}
