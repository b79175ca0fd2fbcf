import type { OutboxMessage } from '../../domain/transport.ts';
import { local } from './address.ts';
import { layout } from './layout.tsx';
import { Time } from './time.tsx';
import type { Site } from './views.ts';

/** Messages, newest first. */
export interface OutboxView {
  messages: OutboxMessage[];
}

/** One message: its header fields decoded and in order, the address of its HTML part, and its text part. */
export interface OutboxMessageView {
  message: OutboxMessage;
  headers: { name: string; value: string }[];
  /** Path of the HTML part served as a document of its own; absent when the mail has none. */
  htmlPath?: string;
  text: string;
}

/** `/outbox`: what the outbox transport holds. For whoever runs the publication, on their own machine, so in English. */
export function outboxPage(site: Site, { messages }: OutboxView): string {
  return layout(site, {
    head: { title: 'Outbox' },
    main: (
      <div class="page" lang="en" dir="ltr">
        <header class="opening">
          <p class="kicker small">Local mail</p>
          <h1>Outbox</h1>
          <p class="standfirst">Mails end up here instead of being sent, as long as the transport is the outbox.</p>
        </header>
        {messages.length > 0 ? (
          <ul class="ruled">
            {messages.map((message) => (
              <Row site={site} message={message} />
            ))}
          </ul>
        ) : (
          <p class="empty">
            No mail yet. With the local server running, <code>npm run digest</code> fires the next occurrence of the
            digest.
          </p>
        )}
      </div>
    ),
  });
}

function Row({ site, message }: { site: Site; message: OutboxMessage }) {
  return (
    <li>
      <p class="headline">
        <a href={messagePath(site, message.id)}>
          <b>{message.subject}</b>
        </a>
      </p>
      <p class="small address">{message.to}</p>
      <p class="small soft">
        {kind(message)} · <Time site={site} at={message.createdAt} precision="minute" />
      </p>
    </li>
  );
}

function kind({ kind, digest, issue, revision = 1 }: OutboxMessage): string {
  const number = digest === undefined || issue === undefined ? '' : ` ${digest} No. ${issue}`;
  return `${kind}${number}${revision > 1 ? `, revision ${revision}` : ''}`;
}

/** `/outbox/:id`: one kept mail. The HTML part is shown in a sandboxed frame, where no script and no form of it works. */
export function outboxMessagePage(site: Site, view: OutboxMessageView): string {
  const { message, headers, htmlPath, text } = view;
  return layout(site, {
    head: { title: message.subject },
    main: (
      <div class="page wide" lang="en" dir="ltr">
        <header class="opening">
          <p class="kicker small">
            <a href={local(site, 'outbox')}>Outbox</a>
          </p>
          <h1>{message.subject}</h1>
          <p class="gap">
            <a class="more small" href={`${messagePath(site, message.id)}.eml`}>
              Raw message (.eml)
            </a>
          </p>
        </header>
        <HtmlPart path={htmlPath} />
        <section class="part">
          <h2>Text part</h2>
          <pre class="wrap">{text}</pre>
        </section>
        <section class="part">
          <h2>Header</h2>
          <dl class="pairs headers">
            {headers.map(({ name, value }) => (
              <div>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    ),
  });
}

function HtmlPart({ path }: { path: string | undefined }) {
  return (
    <section class="part">
      <h2>HTML part</h2>
      {path === undefined ? (
        <p class="empty">This mail has no HTML part.</p>
      ) : (
        <div class="frame">
          <iframe sandbox="" src={path} title="HTML part of the mail" />
        </div>
      )}
    </section>
  );
}

function messagePath(site: Site, id: string): string {
  return local(site, `outbox/${encodeURIComponent(id)}`);
}
