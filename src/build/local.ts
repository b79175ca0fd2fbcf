import { UserError } from './fault.ts';

/** The port that `npm start` serves on. @throws UserError when PORT is none */
export function localPort(): number {
  const text = process.env.PORT ?? '8787';
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new UserError(`PORT must be a number from 1 to 65535; it is ${text}`);
  return port;
}

/** The Worker that a command talks to: `--to`, or the one that `npm start` serves. @throws UserError when it is no URL */
export function baseOf(to: string | undefined): string {
  if (to === undefined) return localUrl();
  if (!/^https?:\/\//.test(to) || !URL.canParse(to)) {
    throw new UserError(`--to must be an absolute URL, such as https://news.example/; it is ${to}`);
  }
  return new URL('/', to).href;
}

/** Where `npm start` serves. */
export function localUrl(): string {
  return `http://localhost:${localPort()}/`;
}
