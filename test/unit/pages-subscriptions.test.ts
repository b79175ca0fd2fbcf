import type { Element, Root } from 'hast';
import { describe, expect, test } from 'vitest';
import { CONSENT_TEXTS, CONSENT_VERSION } from '../../src/domain/consent.ts';
import { articlePage } from '../../src/render/pages/article.tsx';
import { type ConfirmView, confirmPage } from '../../src/render/pages/confirm.tsx';
import { homePage } from '../../src/render/pages/home.tsx';
import { issuePage } from '../../src/render/pages/issue.tsx';
import { type PreferencesView, preferencesPage } from '../../src/render/pages/preferences.tsx';
import { type SubscribeView, subscribePage } from '../../src/render/pages/subscribe.tsx';
import { type UnsubscribeView, unsubscribePage } from '../../src/render/pages/unsubscribe.tsx';
import type { Site } from '../../src/render/pages/views.ts';
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
  READER,
  site,
  subscriptionPages,
  textOf,
} from '../support/pages.ts';

/** What a form would send as it stands: names and values of its fields, unticked boxes left out. */
function fieldsOf(form: Element | undefined): Record<string, unknown> {
  const fields = elements(form, 'input').map(({ properties }) => properties);
  const sent = fields.filter(({ type, checked }) => type !== 'checkbox' || checked);
  return Object.fromEntries(sent.map(({ name, value }) => [name, value ?? '']));
}

function buttonsOf(form: Element | Root | undefined): string[] {
  return elements(form, 'button').map(textOf);
}

function byId(tree: Root, id: unknown): Element | undefined {
  return elements(tree).find(({ properties }) => properties.id === id);
}

/** The text of the elements that describe a control. */
function described(tree: Root, control: Element | undefined): string {
  const ids = [control?.properties.ariaDescribedBy ?? []].flat().flatMap((value) => String(value).split(' '));
  return ids.map((id) => textOf(byId(tree, id))).join(' ');
}

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

describe('unsubscribe', () => {
  test.each([
    [true, [{ type: 'submit' }, { type: 'submit', name: 'all', value: 'yes' }]],
    [false, [{ type: 'submit' }]],
  ])('several digests: %s', (several, buttons) => {
    const [form] = elements(parse(unsubscribePage(site, { state: 'ask', digest: digest.title, several })), 'form');
    expect(elements(form, 'button').map(({ properties: { className: _, ...rest } }) => rest)).toEqual(buttons);
    expect(buttonsOf(form)[0]).toBe(several ? 'Unsubscribe from The Weekly Tide' : 'Unsubscribe');
  });

  test.each<[UnsubscribeView, string, boolean]>([
    [{ state: 'done', digest: digest.title, preferences: '/preferences/p.t' }, 'No further issue will be sent', true],
    [{ state: 'done', digest: digest.title, all: true }, 'No further issue of any digest will be sent', false],
  ])('%o', (view, words, leads) => {
    const tree = parse(unsubscribePage(site, view));
    expect(textOf(tree)).toContain(words);
    expect(linksOf(tree).some(([, href]) => href === '/preferences/p.t')).toBe(leads);
  });
});

describe('preferences', () => {
  const digests = [
    { id: 'weekly', title: 'The <Weekly> Tide', description: 'Calm & dry.', subscribed: true },
    { id: 'former', title: 'Former', subscribed: false },
  ];
  const own: PreferencesView = { state: 'show', email: READER, digests };
  const formsOf = (view: PreferencesView) => elements(parse(preferencesPage(open, view)), 'form');

  test('each form says what it does, and sends what it needs to the page itself', () => {
    const forms = formsOf(own);
    expect(forms.map(({ properties }) => properties)).toEqual(
      forms.map(() => ({ className: ['fields'], method: 'post' })),
    );
    expect(forms.map(fieldsOf)).toEqual([
      { action: 'digests', digest: 'weekly' },
      { action: 'address', email: '' },
      { action: 'export' },
      { action: 'erase' },
    ]);
    expect(forms.flatMap(buttonsOf)).toEqual(['Save', 'Send the mail', 'Download my data', 'Delete everything']);
  });

  test('whom mail was stopped to is told so first, and has a way back', () => {
    const [first] = formsOf({ state: 'show', email: READER, digests, suppressed: true });
    expect([fieldsOf(first), buttonsOf(first)]).toEqual([{ action: 'return' }, ['I want mail again']]);
  });

  test('it shows whose page it is and what comes', () => {
    const tree = parse(preferencesPage(open, own));
    expect(textOf(elements(tree, 'main')[0])).toContain(READER);
    const boxes = elements(tree, 'input').filter(({ properties }) => properties.name === 'digest');
    expect(boxes.map(({ properties }) => [properties.value, properties.checked === true])).toEqual([
      ['weekly', true],
      ['former', false],
    ]);
    expect(boxes.map((box) => described(tree, box))).toEqual(['Calm & dry. Every Saturday at 08:00, Lisbon time.', '']);
    expect(textOf(tree)).toContain('The <Weekly> Tide');
    expect(textOf(tree)).toMatch(/nothing changes until the link in it is used.*a keyed hash of it stays/);
  });

  test.each([
    ['saved', 'Saved.'],
    ['address_sent', 'Nothing changes until the link in it is used'],
    ['returned', 'Welcome back.'],
  ] as const)('what was done is said: %s', (said, words) => {
    const tree = parse(preferencesPage(open, { state: 'show', email: READER, digests, said }));
    const status = elements(tree).filter(({ properties }) => properties.role === 'status');
    expect(status.map((element) => textOf(element).includes(words))).toEqual([true]);
  });

  test.each([
    ['email', 'new-email', 'The address has no domain.', 'The address has no domain. A mail goes to the new address'],
    ['sure', 'sure', 'Tick the box.', 'Tick the box.'],
  ] as const)('what is wrong is said on top and beside it: %s', (field, id, message, description) => {
    const tree = parse(preferencesPage(open, { state: 'show', email: READER, digests, faults: [{ field, message }] }));
    const alert = elements(tree).find(({ properties }) => properties.role === 'alert');
    expect(linksOf(alert)).toEqual([[message, `#${id}`]]);
    expect(byId(tree, id)?.properties.ariaInvalid).toBe('true');
    expect(described(tree, byId(tree, id))).toContain(description);
  });

  test.each<[PreferencesView, string]>([
    [{ state: 'erased' }, 'Everything is deleted'],
    [{ state: 'unknown' }, 'This link is not one of ours'],
  ])('%o', (view, heading) => {
    const tree = parse(preferencesPage(open, view));
    expect(textOf(elements(tree, 'h1')[0])).toBe(heading);
    expect(elements(tree, 'form')).toEqual([]);
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
