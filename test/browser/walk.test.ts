import { readFileSync } from 'node:fs';
import type { Browser, Page, Response } from 'playwright-core';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { launchBrowser, noBrowser } from '../support/browser.ts';
import { articleData, digestData, publicationData } from '../support/content.ts';
import { type Inspector, keepTo, newInspector } from '../support/inspector.ts';
import { type KeptMail, type Server, startServer } from '../support/server.ts';

const OLD_ADDRESS = 'ada+tides@reader.example';
const NEW_ADDRESS = 'ada@elsewhere.example';
const PUBLISHED = { publishedAt: '2025-05-05T09:00:00Z' };
const WAIT = { timeout: 20_000, interval: 100 };
/** A form is taken when it was shown two seconds ago; a refused one comes back as a new one. */
const PRESS_AGAIN = { timeout: 20_000, interval: 2500 };

const settings = publicationData({
  digests: [
    digestData({ description: 'Everything about the sea.' }),
    digestData({ id: 'monthly', title: 'The month', schedule: { cron: '0 8 1 * *', timezone: 'Europe/Berlin' } }),
  ],
});

describe.skipIf(noBrowser !== undefined)('the Worker in workerd, read in Chromium without scripts', () => {
  let server: Server;
  let browser: Browser;
  let inspector: Inspector;
  let page: Page;
  let strayed: string[];

  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(), launchBrowser()]);
    inspector = await newInspector(browser, server.base);
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    strayed = await keepTo(context, server.base);
    page = await context.newPage();
    await server.call('publication.updated', settings);
    for (const key of ['a', 'gone']) await server.call('article.published', articleData(key, PUBLISHED));
    await server.call('article.published', articleData('b', { publishedAt: '2025-05-06T09:00:00Z' }));
    await server.call('article.withdrawn', { id: 'gone', note: 'It was about another harbour.' });
    const [weekly] = (await digests()).filter(({ id }) => id === 'weekly');
    await server.fireCron(weekly?.next ?? '');
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function digests() {
    const answer = await server.operator<{ digests: { id: string; next: string; audience: number }[] }>(
      'api/v1/digests',
    );
    return answer.digests;
  }

  /** How many are subscribed to each digest. */
  async function audiences() {
    return Object.fromEntries((await digests()).map(({ id, audience }) => [id, audience]));
  }

  /** Does what makes the browser show another page, and waits for that. */
  async function arrive(act: () => Promise<unknown>): Promise<Response> {
    const [document] = await Promise.all([
      page.waitForResponse(
        (response) => response.request().isNavigationRequest() && response.frame() === page.mainFrame(),
      ),
      act(),
    ]);
    await document.finished();
    await page.waitForLoadState();
    return document;
  }

  /** Opens an address, whole or below the base, and finds no fault with the page. */
  async function open(address: string): Promise<Response> {
    return orderly(await arrive(() => page.goto(new URL(address, server.base).href)));
  }

  /** Presses a button and finds no fault with the page that comes. */
  async function press(name: string): Promise<Response> {
    return orderly(await arrive(() => button(name).click()));
  }

  async function follow(name: string): Promise<Response> {
    return orderly(await arrive(() => page.getByRole('link', { name }).first().click()));
  }

  async function orderly(document: Response): Promise<Response> {
    expect(await inspector.faultsOf(document), document.url()).toEqual([]);
    return document;
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const box = (name: string) => page.getByRole('checkbox', { name });
  const heading = () => page.getByRole('heading', { level: 1 }).textContent();
  const words = () => page.locator('main').textContent();

  /** The newest mail to an address that says a thing in its subject, as soon as the queue has brought it. */
  async function mailTo(address: string, subject: string): Promise<KeptMail & { parsed: Email }> {
    return vi.waitFor(async () => {
      const found = (await server.outbox()).find((mail) => mail.to === address && mail.subject.includes(subject));
      if (!found) throw new Error(`no mail "${subject}" came to ${address}`);
      return { ...found, parsed: await server.mail(found.id) };
    }, WAIT);
  }

  /** Publishes an article and mails it to whoever is subscribed. */
  async function mailIssueAbout(key: string, audience: number): Promise<void> {
    await server.call('article.published', articleData(key, PUBLISHED));
    const answer = await server.call('digest.run', { digest: 'weekly' });
    expect(answer).toMatchObject({ outcome: 'issued', issue: { digest: 'weekly', audience } });
  }

  test.each([
    ['', 200, 'Tide Notes'],
    ['articles/letter-a', 200, 'Letter a'],
    ['topics/sea', 200, 'The sea'],
    ['issues', 200, 'Issues'],
    ['issues/weekly/1', 200, 'The week: Letter b'],
    ['feeds', 200, 'Feeds'],
    ['subscribe', 200, 'Subscribe'],
    ['outbox', 200, 'Outbox'],
    ['nowhere', 404, 'There is no page at this address'],
    ['articles/letter-gone', 410, 'This article was withdrawn'],
    ['confirm/broken', 404, 'This link is not one of ours'],
    ['unsubscribe/test', 200, 'There is nothing to unsubscribe from'],
  ])('/%s answers %i and is in order', async (path, status, title) => {
    const document = await open(path);
    expect(document.status()).toBe(status);
    expect(await heading()).toContain(title);
  });

  test('a reader subscribes, confirms, chooses, moves, leaves and is forgotten', { timeout: 300_000 }, async () => {
    await subscribe();
    await confirm();
    await mailIssueAbout('c', 1);
    const { parsed } = await mailTo(OLD_ADDRESS, 'Letter c');
    const preferences = linkIn(parsed, 'preferences');
    await choose(preferences);
    await move();
    await takeData(preferences);
    await mailIssueAbout('d', 1);
    await leave();
    await erase(preferences);
    expect(strayed).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  });

  async function subscribe(): Promise<void> {
    await expect.poll(pressAtOnce, WAIT).toContain('Please press the button once more');
    expect(await page.getByLabel('Email address').inputValue()).toBe(OLD_ADDRESS);
    await expect.poll(pressAgain, PRESS_AGAIN).toContain('Look into your mailbox');
  }

  /** As only a robot can; a slow machine may need another try. */
  async function pressAtOnce(): Promise<string | null> {
    await page.goto(server.base);
    await box('The week').check();
    await page.getByLabel('Email address').fill(OLD_ADDRESS);
    const document = await arrive(() => button('Subscribe').click());
    await orderly(document);
    return words();
  }

  async function pressAgain(): Promise<string | null> {
    await press('Subscribe');
    return words();
  }

  async function confirm(): Promise<void> {
    const { id, subject, parsed } = await mailTo(OLD_ADDRESS, 'Please confirm');
    await open('outbox');
    await follow(subject);
    await open(`outbox/${id}/html`);
    const link = linkIn(parsed, 'confirm');
    for (const _ of ['a scanner', 'its second look']) await open(link);
    expect(await audiences()).toEqual({ weekly: 0, monthly: 0 });
    await press('Yes, subscribe me');
    expect(await heading()).toBe('You are subscribed');
    expect(await audiences()).toEqual({ weekly: 1, monthly: 0 });
    await follow('The week: Letter b');
    expect(new URL(page.url()).pathname).toBe('/issues/weekly/1');
  }

  async function choose(preferences: string): Promise<void> {
    await open(preferences);
    expect(await words()).toContain(OLD_ADDRESS);
    await box('The week').uncheck();
    await box('The month').check();
    await press('Save');
    expect(await page.getByRole('status').textContent()).toContain('Saved.');
    expect(await audiences()).toEqual({ weekly: 0, monthly: 1 });
    await box('The week').check();
    await press('Save');
    expect(await audiences()).toEqual({ weekly: 1, monthly: 1 });
  }

  async function move(): Promise<void> {
    await page.getByLabel('New email address').fill('ada@nowhere');
    expect((await press('Send the mail')).status()).toBe(422);
    expect(await page.getByRole('alert').textContent()).toContain('address that mail can be sent to');
    await page.getByLabel('New email address').fill(NEW_ADDRESS);
    await press('Send the mail');
    const { id, parsed } = await mailTo(NEW_ADDRESS, 'Use this address');
    await open(`outbox/${id}/html`);
    for (const _ of ['a scanner', 'its second look']) await open(linkIn(parsed, 'confirm'));
    expect(await heading()).toBe('Is this your new address?');
    await press('Yes, use this address');
    expect(await heading()).toBe('Your address is changed');
  }

  async function takeData(preferences: string): Promise<void> {
    await open(preferences);
    expect(await words()).toContain(NEW_ADDRESS);
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download my data').click()]);
    expect(download.suggestedFilename()).toBe('my-data.json');
    const data = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect(data.subscriber.email).toBe(NEW_ADDRESS);
    const events = data.consent.map(({ event }: { event: string }) => event);
    expect(events).toEqual(expect.arrayContaining(['requested', 'confirmed', 'unsubscribed', 'address_changed']));
  }

  async function leave(): Promise<void> {
    const { id, parsed } = await mailTo(NEW_ADDRESS, 'Letter d');
    await open(`outbox/${id}/html`);
    const link = linkIn(parsed, 'unsubscribe');
    for (const _ of ['a scanner', 'its second look']) await open(link);
    expect(await audiences()).toEqual({ weekly: 1, monthly: 1 });
    await press('Unsubscribe from The week');
    expect(await heading()).toBe('You are unsubscribed');
    expect(await audiences()).toEqual({ weekly: 0, monthly: 1 });
    await open(link);
    expect(await heading()).toBe('You are unsubscribed');
  }

  async function erase(preferences: string): Promise<void> {
    await follow('Change what you get');
    await box('Yes, delete everything about me').check();
    await press('Delete everything');
    expect(await heading()).toBe('Everything is deleted');
    expect(await audiences()).toEqual({ weekly: 0, monthly: 0 });
    expect((await open(preferences)).status()).toBe(404);
    expect(await heading()).toBe('This link is not one of ours');
  }
});

/** The address in a mail's text part that leads to a reader's own page. */
function linkIn({ text = '' }: Email, page: 'confirm' | 'preferences' | 'unsubscribe'): string {
  const link = new RegExp(`http://localhost:\\d+/${page}/[\\w.~+-]+`).exec(text)?.[0];
  if (!link) throw new Error(`no link to ${page} in: ${text}`);
  return link;
}
