import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Nothing that would look for a network, a GPU or a profile. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that is installed: `CHROMIUM`, or where Debian puts it. */
const executablePath = [process.env.CHROMIUM ?? '', ...PATHS].find((path) => path !== '' && existsSync(path));

/**
 * Why browser tests are skipped here, or undefined when they run. Under CI they always run, and fail without a browser:
 * `describe.skipIf(noBrowser !== undefined)(…)`.
 */
export const noBrowser: string | undefined =
  executablePath === undefined && !process.env.CI ? 'no Chromium found; set CHROMIUM to its path' : undefined;

if (noBrowser !== undefined) console.warn(`browser tests are skipped: ${noBrowser}`);

/** Starts the installed Chromium; close it in `afterAll`. @throws Error when there is none */
export async function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(`no Chromium at ${PATHS.join(', ')}; set CHROMIUM to its path`);
  return chromium.launch({ executablePath, args: FLAGS });
}
