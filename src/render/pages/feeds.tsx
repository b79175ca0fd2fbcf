import { absolute } from './address.ts';
import { layout } from './layout.tsx';
import { say } from './say.tsx';
import type { Site } from './views.ts';

/** The three documents that carry the same entries. Addresses are absolute. */
export interface FeedGroup {
  title: string;
  description?: string;
  rss: string;
  atom: string;
  json: string;
}

/** All feeds, and the address of the OPML list of them where there is one. */
export interface FeedsView {
  groups: FeedGroup[];
  opml?: string;
}

/** `/feeds`: every feed's address, and what to do with it. */
export function feedsPage(site: Site, { groups, opml }: FeedsView): string {
  return layout(site, {
    section: 'feeds',
    head: { title: 'Feeds', canonical: absolute(site.publication, 'feeds') },
    main: (
      <div class="page wide">
        <header class="opening">
          <h1>{say(site, 'Feeds')}</h1>
          <p class="standfirst">
            {say(
              site,
              'A feed brings new articles to an app of your choice, without an account and without your address.',
            )}
          </p>
        </header>
        <HowTo site={site} />
        {groups.map((group) => (
          <Group group={group} />
        ))}
        {opml && (
          <p class="part">
            {say(site, 'All of these as one file for your reader’s import:')} <a href={opml}>OPML</a>
          </p>
        )}
      </div>
    ),
  });
}

const STEPS = [
  'Get a feed reader. There are good ones for every phone, computer and browser, and many cost nothing.',
  'Copy one of the addresses below and paste it where the reader says “add a feed”.',
  'That is all. A correction reaches you the same way as the article did.',
];

function HowTo({ site }: { site: Site }) {
  return (
    <section class="part">
      <h2>{say(site, 'How to follow a feed')}</h2>
      <ol class="steps">
        {STEPS.map((step) => (
          <li>{say(site, step)}</li>
        ))}
      </ol>
      <p>{say(site, 'The three formats carry the same articles in full. If you have no preference, take RSS.')}</p>
    </section>
  );
}

function Group({ group }: { group: FeedGroup }) {
  const formats = [
    ['RSS', 'application/rss+xml', group.rss],
    ['Atom', 'application/atom+xml', group.atom],
    ['JSON Feed', 'application/feed+json', group.json],
  ] as const;
  return (
    <section class="part">
      <h2>{group.title}</h2>
      {group.description && <p>{group.description}</p>}
      <dl class="pairs">
        {formats.map(([name, type, url]) => (
          <div>
            <dt>{name}</dt>
            <dd>
              <a href={url} type={type}>
                {breakable(url)}
              </a>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** An address that may break after its slashes; copied, it is still the address. */
function breakable(url: string) {
  return url.split(/(?<=\/)/).map((part) => (
    <>
      {part}
      <wbr />
    </>
  ));
}
