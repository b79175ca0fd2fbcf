import type { Plan, PlannedIssue } from '../domain/answer.ts';
import type { Article } from '../domain/article.ts';
import type { Fault } from '../domain/errors.ts';
import { FEED_FORMATS, type FeedFile, feedPath, ISSUES, plainPath } from '../domain/feed.ts';
import type { PublicationSettings } from '../domain/publication.ts';
import type { ArticleData, ReissueData, WebhookBody } from '../domain/webhook.ts';
import type { DigestMail } from '../render/mail/digest.ts';
import { articleFindings, mailFindings, ownLinks } from '../render/preflight.ts';
import { articleUrl } from './article.ts';
import type { CallDeps } from './call.ts';
import { planDigestNow } from './digest.ts';
import { decideIssue } from './issues.ts';
import { changesOf, planArticle, planWithdrawal, scopesOf } from './publish.ts';
import { decideReissue, needsConfirmation, type PlannedReissue } from './reissue.ts';
import { planSettings, withPublication } from './settings.ts';
import type { Call } from './webhook.ts';

/**
 * What a call would do, and nothing of it done: no receipt, no row, no mail. Its refusals are those of the call itself, but
 * for a confirmation that is missing, which the plan asks for.
 */
export async function planCall(deps: CallDeps, body: WebhookBody, call: Call): Promise<Plan> {
  switch (body.type) {
    case 'publication.updated':
      return planPublication(deps, body.data);
    case 'article.published':
    case 'article.updated':
      return planPublish(deps, body.data, call);
    case 'article.withdrawn':
      return planToWithdraw(deps, body.data.id, call);
    case 'digest.run':
      return planRun(deps, body.data, call);
    case 'issue.reissue':
      return planIssueAgain(deps, body.data, call);
    default: {
      const { issue, outcome, audience } = await decideIssue(deps, body.type, body.data);
      const { digest, number, revision } = issue;
      return { dryRun: true, id: digest, outcome, issue: { digest, number, revision, audience }, findings: [] };
    }
  }
}

async function planPublication(
  deps: CallDeps,
  data: Extract<WebhookBody, { type: 'publication.updated' }>['data'],
): Promise<Plan> {
  const { id, outcome, settings, before } = await planSettings(deps, data);
  const changes = outcome === 'unchanged' ? [] : changedSettings(before, settings);
  return { dryRun: true, id, outcome, changes, findings: [] };
}

function changedSettings(before: PublicationSettings | undefined, after: PublicationSettings): string[] {
  const old = new Map(Object.entries(before ?? {}));
  const names = new Set([...old.keys(), ...Object.keys(after)]);
  const now = new Map(Object.entries(after));
  return [...names].filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)));
}

async function planPublish(deps: CallDeps, data: ArticleData, call: Call): Promise<Plan> {
  const { outcome, article, before, reissues, unconfirmed, warnings } = await planArticle(deps, data, call);
  const { id, url, revision } = article;
  const old = before?.article.status === 'published' ? scopesOf(before.article) : [];
  const touched = outcome === 'unchanged' ? [] : [...old, ...(article.status === 'published' ? scopesOf(article) : [])];
  const mailed = reissues.some(({ draft }) => draft.status === 'planning');
  return {
    dryRun: true,
    id,
    outcome: reissues.length > 0 && unconfirmed === undefined ? 'reissued' : outcome,
    revision,
    url,
    changes: outcome === 'unchanged' ? [] : await changesOf(deps, data, before),
    feeds: feedsOf([...touched, ...(mailed ? [ISSUES] : [])]),
    ...(await issuesOf(deps, article, reissues)),
    ...(unconfirmed === undefined ? {} : { confirm: unconfirmed }),
    ...(warnings.length > 0 ? { warnings } : {}),
    findings: [
      ...articleFindings(data, articleUrl(data, article.slug, deps.baseUrl)),
      ...(await deadLinks(deps, data, article)),
      ...reissues.flatMap(({ draft, rendered }) => mailFindings(`${draft.digest} ${draft.number}`, rendered)),
    ],
  };
}

/** Links to articles that are not there. What lies elsewhere is not asked for: a plan leaves no trace there either. */
async function deadLinks({ articles, baseUrl }: CallDeps, data: ArticleData, article: Article): Promise<Fault[]> {
  const links = ownLinks(data, article.url, baseUrl).map((link) => ({ ...link, path: plainPath(link.path) }));
  const asked = links.filter(({ path }) => path.startsWith('/articles/') && path !== `/articles/${article.slug}`);
  if (asked.length === 0) return [];
  const known = new Set((await articles.aliasOwners(asked.map(({ path }) => path))).map(({ path }) => path));
  return asked
    .filter(({ path }) => !known.has(path))
    .map(({ pointer, path }) => ({ pointer, message: `link ${JSON.stringify(path)} is broken: no article is there` }));
}

async function planToWithdraw(deps: CallDeps, key: string, call: Call): Promise<Plan> {
  const { article, outcome, warnings } = await planWithdrawal(deps, key, call);
  const { id, url, revision, status } = article;
  return {
    dryRun: true,
    id,
    outcome,
    revision,
    url,
    feeds: feedsOf(outcome === 'withdrawn' && status === 'published' ? scopesOf(article) : []),
    ...(await issuesOf(deps, article, [])),
    ...(warnings.length > 0 ? { warnings } : {}),
    findings: [],
  };
}

async function planRun(
  deps: CallDeps,
  data: Extract<WebhookBody, { type: 'digest.run' }>['data'],
  call: Call,
): Promise<Plan> {
  const publication = await withPublication(deps.publications, deps.baseUrl);
  const { digest, composed } = await planDigestNow(deps, publication, data, call);
  const base = { dryRun: true, id: digest.id } as const;
  if (!composed) return { ...base, outcome: 'skipped', findings: [] };
  const audience = data.testTo === undefined ? await deps.subscriptions.audience(digest.id) : 1;
  const { number, revision, rendered, articles } = composed;
  const issue = {
    digest: digest.id,
    number,
    revision,
    audience,
    articles: articles.map(({ title }) => title),
    ...mailOf(rendered),
  };
  const made = digest.mode === 'send' ? 'issued' : 'held';
  return {
    ...base,
    outcome: data.testTo === undefined ? made : 'tested',
    ...(data.testTo === undefined ? { feeds: feedsOf(made === 'issued' ? [ISSUES] : []) } : {}),
    issue: { digest: digest.id, number, revision, audience },
    issues: [issue],
    findings: mailFindings(`${digest.id} ${number}`, rendered),
  };
}

async function planIssueAgain(deps: CallDeps, data: ReissueData, call: Call): Promise<Plan> {
  const { issue, planned, audience } = await decideReissue(deps, data, call.now);
  const { digest, number, revision } = planned?.draft ?? issue;
  return {
    dryRun: true,
    id: digest,
    outcome: planned ? 'reissued' : 'unchanged',
    feeds: feedsOf(planned ? [ISSUES] : []),
    issue: { digest, number, revision, audience },
    ...(planned ? { issues: [plannedIssue(planned)] } : {}),
    ...(planned && needsConfirmation(audience, data.confirm) ? { confirm: audience } : {}),
    findings: planned ? mailFindings(`${digest} ${number}`, planned.rendered) : [],
  };
}

/** The issues that hold an article: those that are reissued as they would be, the others as they are. */
async function issuesOf(
  { issues }: CallDeps,
  { id }: Article,
  reissues: PlannedReissue[],
): Promise<Pick<Plan, 'issue' | 'issues'>> {
  const again = reissues.map(plannedIssue);
  const found: PlannedIssue[] = [];
  for (const { digest, number } of await issues.holding(id)) {
    const reissue = again.find((each) => each.digest === digest && each.number === number);
    const issue = reissue ? undefined : await issues.read(digest, number);
    if (reissue) found.push(reissue);
    else if (issue) found.push({ digest, number, revision: issue.revision, audience: 0, subject: issue.subject });
  }
  const [first] = again;
  return {
    ...(first
      ? { issue: { digest: first.digest, number: first.number, revision: first.revision, audience: first.audience } }
      : {}),
    ...(found.length > 0 ? { issues: found } : {}),
  };
}

function plannedIssue({ draft, rendered, audience }: PlannedReissue): PlannedIssue {
  const { digest, number, revision, articles } = draft;
  return { digest, number, revision, audience, articles: articles.map(({ title }) => title), ...mailOf(rendered) };
}

function mailOf({ subject, html, text }: DigestMail): Pick<PlannedIssue, 'subject' | 'bytes'> {
  const size = (part: string) => new TextEncoder().encode(part).length;
  return { subject, bytes: { html: size(html), text: size(text) } };
}

/** The addresses of the feeds of these scopes, each once. */
function feedsOf(scopes: string[]): string[] {
  const files = Object.keys(FEED_FORMATS) as FeedFile[];
  return [...new Set(scopes)].flatMap((scope) => files.map((file) => feedPath(scope, file)));
}
