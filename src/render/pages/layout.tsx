import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { local } from './address.ts';
import { directions } from './formats.ts';
import { type Head, head } from './head.ts';
import { say } from './say.tsx';
import type { Site } from './views.ts';

/** The parts of the site that the navigation names; `current` marks the one the page belongs to. */
export type Section = 'home' | 'issues' | 'feeds' | 'subscribe';

/** What makes one page different from another. */
export interface Page {
  head: Head;
  section?: Section;
  /** Leaves out the navigation and the footer, for a page that has nothing to lead to yet. */
  alone?: boolean;
  main: Child;
}

/**
 * A whole HTML document around one page's main part. There is no script in it, no style attribute and no event handler,
 * so a policy of `default-src 'none'` with the stylesheet's hash holds for every page.
 */
export function layout(site: Site, page: Page): string {
  const { language } = site.publication;
  return String(html`<!doctype html>
<html lang="${language}" dir="${directions(language)}">
<head>
${head(site, page.head)}
</head>
${<Body site={site} page={page} />}
</html>
`);
}

function Body({ site, page }: { site: Site; page: Page }) {
  return (
    <body>
      <a class="skip" href="#main">
        {say(site, 'Skip to the text')}
      </a>
      {!page.alone && <Masthead site={site} section={page.section} />}
      <main id="main">{page.main}</main>
      {!page.alone && <Footer site={site} />}
    </body>
  );
}

/** The publication's name is the home page's heading, and elsewhere the way home. */
function Masthead({ site, section }: { site: Site; section: Section | undefined }) {
  const { title, description } = site.publication;
  if (section === 'home') {
    return (
      <header class="nameplate">
        <h1>{title}</h1>
        <p class="motto">{description}</p>
        <Navigation site={site} />
      </header>
    );
  }
  return (
    <header class="masthead">
      <p class="name">
        <a href={local(site, '')}>{title}</a>
      </p>
      <Navigation site={site} section={section} />
    </header>
  );
}

function Navigation({ site, section }: { site: Site; section?: Section | undefined }) {
  return (
    <nav class="sections" aria-label="Sections">
      <ul class="row small">
        <li>
          <a href={local(site, 'issues')} aria-current={section === 'issues' ? 'page' : undefined}>
            {say(site, 'Issues')}
          </a>
        </li>
        <li>
          <a href={local(site, 'feeds')} aria-current={section === 'feeds' ? 'page' : undefined}>
            {say(site, 'Feeds')}
          </a>
        </li>
        {site.subscribe && site.publication.digests.length > 0 && (
          <li>
            <a href={local(site, 'subscribe')} aria-current={section === 'subscribe' ? 'page' : undefined}>
              {say(site, 'Subscribe')}
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function Footer({ site }: { site: Site }) {
  const { title, links } = site.publication;
  return (
    <footer class="colophon small">
      <p>{title}</p>
      <ul class="row">
        <li>
          <a href={local(site, 'feeds')}>{say(site, 'Feeds')}</a>
        </li>
        {links.imprint && (
          <li>
            <a href={links.imprint}>{say(site, 'Imprint')}</a>
          </li>
        )}
        {links.privacy && (
          <li>
            <a href={links.privacy}>{say(site, 'Privacy')}</a>
          </li>
        )}
      </ul>
    </footer>
  );
}
