import { describe, expect, test } from 'vitest';
import { type PreferencesView, preferencesPage } from '../../src/render/pages/preferences.tsx';
import { type UnsubscribeView, unsubscribePage } from '../../src/render/pages/unsubscribe.tsx';
import { buttonsOf, byId, described, fieldsOf } from '../support/forms.ts';
import { digest, elements, linksOf, open, parse, READER, site, textOf } from '../support/pages.ts';

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
