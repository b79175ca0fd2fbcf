import type { Root } from 'hast';
import { describe, expect, test } from 'vitest';
import { CONSENT_TEXTS, CONSENT_VERSION } from '../../src/domain/consent.ts';
import { articlePage } from '../../src/render/pages/article.tsx';
import { type ConfirmView, confirmPage } from '../../src/render/pages/confirm.tsx';
import { homePage } from '../../src/render/pages/home.tsx';
import { issuePage } from '../../src/render/pages/issue.tsx';
import { preferencesPage } from '../../src/render/pages/preferences.tsx';
import { type SubscribeView, subscribePage } from '../../src/render/pages/subscribe.tsx';
import { unsubscribePage } from '../../src/render/pages/unsubscribe.tsx';
import type { Site } from '../../src/render/pages/views.ts';
import { buttonsOf, byId, described, fieldsOf } from '../support/forms.ts';
import {
  article,
  BASE,
  choice,
  digest,
  elements,
  issue,
  linksOf,
  ofClass,
  open,
  parse,
  site,
  subscriptionPages,
  textOf,
} from '../support/pages.ts';

const everyForm = [...subscriptionPages(open), ...subscriptionPages(choice)].map(
  ([name, html], index) => [`${index} ${name}`, parse(html)] as const,
);

describe.each(everyForm)('%s', (_, tree) => {
  test('names every field and button, and leaves no id twice', () => {
    const labels = elements(tree, 'label').flatMap(({ properties }) => properties.htmlFor ?? []);
    const fields = elements(tree, 'input').filter(({ properties }) => properties.type !== 'hidden');
    for (const field of fields) expect(labels).toContain(field.properties.id);
    for (const button of elements(tree, 'button')) expect(textOf(button)).not.toBe('');
    const ids = elements(tree).flatMap(({ properties }) => properties.id ?? []);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test('leads every reference to something that is there', () => {
    for (const { properties } of elements(tree)) {
      const lists = [properties.ariaDescribedBy, properties.ariaLabelledBy].flatMap((value) => value ?? []);
      for (const id of lists.flatMap((value) => String(value).split(' '))) expect(byId(tree, id)).toBeDefined();
    }
    const inner = linksOf(tree).flatMap(([, href]) => (String(href).startsWith('#') ? String(href).slice(1) : []));
    for (const id of inner) expect(byId(tree, id)).toBeDefined();
  });

  test('sends forms by POST, to where no address stands', () => {
    for (const { properties } of elements(tree, 'form')) {
      expect(properties.method).toBe('post');
      expect([undefined, '/subscribe']).toContain(properties.action);
    }
  });
});

describe('the box', () => {
  const shown = (of: Site): [string, Root][] => [
    ['home', parse(homePage(of, { articles: [article], issues: [], topics: [] }))],
    ['article', parse(articlePage(of, { article }))],
    ['issue', parse(issuePage(of, { issue, digest }))],
  ];

  test.each(shown(open))('stands on the %s page, and says what will arrive and how often', (_, tree) => {
    const [box] = ofClass(tree, 'subscribe');
    expect(textOf(elements(box, 'h2')[0])).toBe('The Weekly Tide');
    expect(textOf(box)).toContain(
      'Every Saturday, if there was anything. Every Saturday at 08:00, Lisbon time. Email address',
    );
    expect(textOf(box)).toContain(CONSENT_TEXTS[CONSENT_VERSION]);
    expect(linksOf(box)).toEqual([['How we treat your data', 'https://about.example/privacy']]);
    expect(elements(box, 'form').map(({ properties }) => properties.action)).toEqual(['/subscribe']);
    expect(fieldsOf(box)).toEqual({
      form: 'form.token',
      consent: String(CONSENT_VERSION),
      digest: 'weekly',
      email: '',
      website: '',
    });
    expect(buttonsOf(box)).toEqual(['Subscribe']);
  });

  test.each([
    ['no token', site],
    ['no digest', { ...open, publication: { ...open.publication, digests: [] } }],
  ])('is nowhere with %s, nor is the way to it', (_, of) => {
    for (const [, tree] of shown(of)) {
      expect(elements(tree, 'form')).toEqual([]);
      expect(linksOf(tree).map(([text]) => text)).not.toContain('Subscribe');
    }
  });

  test('comes right after the first article, and before the others', () => {
    const tree = parse(homePage(open, { articles: [article, article], issues: [], topics: [] }));
    const parts = ofClass(tree, 'columns')[0]?.children.filter((child) => child.type === 'element');
    expect(parts?.map(({ properties }) => properties.className)).toEqual([
      ['lead'],
      ['subscribe'],
      ['others'],
      ['side'],
    ]);
  });

  test('of several digests none is chosen beforehand, and each says what it is', () => {
    const tree = parse(articlePage(choice, { article }));
    const boxes = elements(tree, 'input').filter(({ properties }) => properties.type === 'checkbox');
    expect(boxes.map(({ properties }) => [properties.name, properties.value, properties.checked])).toEqual([
      ['digest', 'weekly', undefined],
      ['digest', 'tides', undefined],
      ['digest', 'monthly', undefined],
    ]);
    expect(boxes.map((box) => described(tree, box))).toEqual([
      'Every Saturday, if there was anything. Every Saturday at 08:00, Lisbon time.',
      'Whenever the water turns.',
      'On the 1st of every month at 07:30, New York time.',
    ]);
  });

  test('has a trap that people neither see, hear nor reach', () => {
    const [trap] = ofClass(parse(articlePage(open, { article })), 'trap');
    expect(trap?.properties.ariaHidden).toBe('true');
    expect(elements(trap, 'input')[0]?.properties).toMatchObject({ tabIndex: -1, autoComplete: ['off'], type: 'text' });
    expect(textOf(elements(trap, 'label')[0])).toBe('Leave this field empty');
  });

  test('posts below the path of the publication', () => {
    const below = { ...open, publication: { ...open.publication, baseUrl: 'https://host.example/tide/' } };
    expect(elements(parse(articlePage(below, { article })), 'form')[0]?.properties.action).toBe('/tide/subscribe');
  });
});

describe('subscribe', () => {
  const page = (view: SubscribeView, of = open) => parse(subscribePage(of, view));

  test.each<[SubscribeView, string, string]>([
    [{ state: 'sent' }, 'Look into your mailbox', 'spam folder'],
    [{ state: 'sent' }, 'Look into your mailbox', 'wait an hour'],
    [{ state: 'limited' }, 'One moment, please', 'Wait a minute'],
  ])('%o says %s: %s', (view, heading, words) => {
    const tree = page(view);
    expect(textOf(elements(tree, 'h1')[0])).toBe(heading);
    expect(textOf(tree)).toContain(words);
    expect(elements(tree, 'form')).toEqual([]);
  });

  test('a form that came back keeps what was typed, and says what is wrong on top and beside it', () => {
    const faults = [
      { field: 'email' as const, message: 'The address has no domain.' },
      { field: 'digest' as const, message: 'Choose at least one.' },
      { field: 'form' as const, message: 'The form had expired.' },
    ];
    const tree = page({ state: 'form', email: 'reader@"x', chosen: ['tides'], faults }, choice);
    const alert = elements(tree).find(({ properties }) => properties.role === 'alert');
    expect(linksOf(alert)).toEqual([
      ['The address has no domain.', '#subscribe-email'],
      ['Choose at least one.', '#subscribe-digest'],
    ]);
    expect(textOf(alert)).toContain('The form had expired.');
    const email = byId(tree, 'subscribe-email');
    expect(email?.properties).toMatchObject({ value: 'reader@"x', ariaInvalid: 'true' });
    expect(described(tree, email)).toBe('The address has no domain.');
    expect(described(tree, elements(tree, 'fieldset')[0])).toBe('Choose at least one.');
    expect(fieldsOf(elements(tree, 'form')[0])).toMatchObject({ digest: 'tides', email: 'reader@"x' });
    expect(textOf(elements(tree, 'title')[0])).toBe('Please look again: Subscribe · The Tide Table');
  });

  test('without faults nothing is said to be wrong', () => {
    const tree = page({ state: 'form' });
    const marked = elements(tree).filter(({ properties }) => properties.role === 'alert' || properties.ariaInvalid);
    expect(marked).toEqual([]);
  });

  test('where there is nothing to subscribe to, it leads on', () => {
    const tree = page({ state: 'form' }, site);
    expect(elements(tree, 'form')).toEqual([]);
    expect(linksOf(elements(tree, 'main')[0])).toEqual([
      ['Latest coverage', '/'],
      ['All issues', '/issues'],
    ]);
  });

  test.each([
    ['with a key', 'key"&', [{ src: 'https://challenges.cloudflare.com/turnstile/v0/api.js' }]],
    ['without', undefined, []],
  ])('%s the check against robots and its script', (_, turnstileSiteKey, scripts) => {
    const tree = page({ state: 'form', ...(turnstileSiteKey !== undefined && { turnstileSiteKey }) });
    expect(elements(tree, 'script').map(({ properties }) => properties)).toMatchObject(scripts);
    const keys = ofClass(elements(tree, 'form')[0], 'cf-turnstile').map(({ properties }) => properties.dataSitekey);
    expect(keys).toEqual(turnstileSiteKey === undefined ? [] : [turnstileSiteKey]);
  });
});

describe('confirm', () => {
  const latest = { subject: 'Four <crossings>', url: `${BASE}issues/weekly/12` };

  test.each<[ConfirmView, string, string[]]>([
    [{ state: 'ask', digests: ['Tide & Co'] }, 'Shall it come by email?', ['Yes, subscribe me']],
    [{ state: 'ask', digests: [] }, 'Is this your new address?', ['Yes, use this address']],
    [{ state: 'done', digests: ['Tide & Co'] }, 'You are subscribed', []],
    [{ state: 'done', digests: ['Tide & Co'], latest }, 'You are subscribed', []],
    [{ state: 'done', digests: [] }, 'Your address is changed', []],
    [{ state: 'expired' }, 'This link is too old', ['Subscribe']],
    [{ state: 'unknown' }, 'This link is not one of ours', ['Subscribe']],
  ])('%o', (view, heading, buttons) => {
    const tree = parse(confirmPage(open, view));
    expect(textOf(elements(tree, 'h1')[0])).toBe(heading);
    expect(buttonsOf(tree)).toEqual(buttons);
    expect(ofClass(tree, 'titles').map(textOf)).toEqual('digests' in view && view.digests[0] ? view.digests : []);
    const links = linksOf(tree).filter(([, href]) => href === latest.url);
    expect(links).toEqual('latest' in view ? [[latest.subject, latest.url]] : []);
  });

  test('the button sends nothing but itself, to the page it stands on', () => {
    const [form] = elements(parse(confirmPage(open, { state: 'ask', digests: ['Tide'] })), 'form');
    expect([form?.properties, fieldsOf(form)]).toEqual([{ method: 'post' }, {}]);
  });
});

test('what people typed is text on every page', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`;
  const of: Site = {
    ...open,
    subscribe: { formToken: hostile },
    publication: {
      ...open.publication,
      digests: [digest, digest].map((each) => ({ ...each, id: hostile, title: hostile, description: hostile })),
    },
  };
  const pages = [
    subscribePage(of, { state: 'form', email: hostile, faults: [{ field: 'email', message: hostile }] }),
    confirmPage(of, { state: 'done', digests: [hostile], latest: { subject: hostile, url: BASE } }),
    unsubscribePage(of, { state: 'ask', digest: hostile, several: true }),
    preferencesPage(of, {
      state: 'show',
      email: hostile,
      digests: [{ id: hostile, title: hostile, subscribed: true }],
    }),
  ];
  for (const html of pages) {
    expect(html).toContain('&lt;script&gt;');
    expect(elements(parse(html), 'script', 'img')).toEqual([]);
  }
});
