import { layout } from './layout.tsx';
import type { Site } from './views.ts';

/** `/` before any publication was set up: what its owner does next. `baseUrl` is where it is served. */
export function welcomePage({ baseUrl }: { baseUrl: string }): string {
  const title = 'Broadside';
  const description = 'Nothing has been published here yet.';
  const publication = {
    title,
    description,
    baseUrl,
    language: 'en',
    links: {},
    digests: [],
    topics: [],
  };
  const site: Site = { publication, feeds: [] };
  return layout(site, {
    head: { title: 'Welcome' },
    alone: true,
    main: (
      <div class="page stack">
        <p class="kicker small">Broadside is running</p>
        <h1>Your publication starts here</h1>
        <p class="standfirst">
          This server is ready, and nothing has been published on it yet. If it is yours, three steps are left:
        </p>
        <ol class="steps">
          <li>
            Copy the folder <code>seeds</code>, which is a small complete publication, and put your own title, sender
            and topics into its <code>publication.yaml</code>.
          </li>
          <li>
            Write an article: a Markdown file with a few lines of front matter. <code>seeds/README.md</code> lists its
            fields.
          </li>
          <li>
            Publish the folder. Run this again whenever something changes:
            <pre tabindex={0}>
              <code>{`npm run publish -- my-letter --to ${baseUrl}`}</code>
            </pre>
          </li>
        </ol>
        <p>Feeds, pages and the first digest follow from that by themselves.</p>
      </div>
    ),
  });
}
