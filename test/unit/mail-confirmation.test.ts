import { describe, expect, test } from 'vitest';
import { type ConfirmationInput, renderConfirmation } from '../../src/render/mail/confirmation.ts';
import { collapse, digest, elements, hrefs, publication, visibleText } from '../support/mail.ts';

const url = 'https://harbour.example/confirm/abc.def';
const weekly = { ...digest, description: 'What the boats brought.' };
const often = { ...digest, title: 'Every Tide', schedule: { cron: '0 */6 * * *', timezone: 'Europe/Lisbon' } };

function render(fields: Partial<ConfirmationInput> = {}) {
  return renderConfirmation({ publication, digests: [weekly], url, ...fields });
}

function bothParts(fields: Partial<ConfirmationInput> = {}): string[] {
  const { html, text } = render(fields);
  return [visibleText(html), collapse(text)];
}

test.each([
  ['who asked', 'Somebody, we hope you, entered this address at Harbour Letters'],
  ['what will arrive', 'The Week at Sea What the boats brought.'],
  ['how often', 'Every Friday at 08:00, Lisbon time'],
  ['what to press', 'Yes, subscribe me'],
  ['how long it works', 'The link works for 7 days.'],
  [
    'what to do otherwise',
    'If it was not you, ignore this mail: nothing is sent to you, and the address is deleted after 30 days.',
  ],
  ['where it comes from', '1 Quay Street'],
])('both parts say %s', (_, words) => {
  for (const part of bothParts()) expect(part).toContain(words);
});

test('the link stands in the button and in words, and nothing else leads to more than the publication', () => {
  const { html, text } = render();
  const legal = Object.values(publication.links);
  expect(hrefs(html)).toEqual([publication.baseUrl, url, url, ...legal]);
  expect(text.split('\n').filter((line) => line.startsWith('https:'))).toEqual([url, ...legal]);
  for (const part of [html, text]) expect(part).not.toMatch(/unsubscribe/i);
});

test.each([
  ['one digest', [weekly], 'Please confirm: The Week at Sea'],
  ['several', [weekly, often], 'Please confirm: Harbour Letters'],
])('the subject names what was asked for: %s', (_, digests, subject) => {
  expect(render({ digests }).subject).toBe(subject);
});

test('every digest that was asked for is named in order, with no more than is known of it', () => {
  for (const part of bothParts({ digests: [often, weekly] })) {
    expect(part).toMatch(/Every Tide (\* )?The Week at Sea What the boats brought\. Every Friday/);
  }
});

describe('what the publisher wrote is text', () => {
  const hostile = '<script>x</script> & "q" {{v}} [[dir]]';
  const digests = [{ ...weekly, title: `${hostile}\r\nBcc: a@b.example`, description: hostile }];
  const { subject, html, text } = render({ digests, publication: { ...publication, title: hostile } });

  test('on one line in the subject', () => {
    expect(subject).toBe(`Please confirm: ${hostile} Bcc: a@b.example`);
  });

  test('and as it stands in both parts', () => {
    expect(elements(html, 'script')).toEqual([]);
    for (const part of [visibleText(html), text]) expect(part).toContain(hostile);
  });
});

test.each([
  ['de', 'ltr', 'Sind Sie das?', 'Der Link gilt 7 Tage.', 'Jeden Freitag um 08:00 Uhr (Lisbon)'],
  ['fr', 'ltr', 'Est-ce bien vous ?', 'Le lien est valable 7 jours.', 'Chaque vendredi à 08:00 (Lisbon)'],
  ['es', 'ltr', '¿Eres tú?', 'El enlace funciona durante 7 días.', 'Cada viernes a las 08:00 (Lisbon)'],
  ['ar', 'rtl', 'هل هذا أنت؟', 'مدة صلاحية الرابط بالأيام: 7.', 'أسبوعيًا، الجمعة، الساعة 08:00 (Lisbon)'],
  ['sv', 'ltr', 'Is this you?', 'The link works for 7 days.', 'Every Friday at 08:00, Lisbon time'],
])('in %s it runs %s and speaks the language', (language, dir, ...words) => {
  const of = { ...publication, language };
  expect(elements(render({ publication: of }).html, 'html')[0]?.properties).toMatchObject({ lang: language, dir });
  for (const part of bothParts({ publication: of })) for (const word of words) expect(part).toContain(word);
});
