import { expect, test } from 'vitest';
import { renderNotice } from '../../src/render/mail/notice.ts';
import { elements, hrefs, publication, visibleText } from '../support/mail.ts';

const notice = {
  publication,
  subject: 'Issue <7> & its\r\nfate',
  paragraphs: ['It has "five" articles.', 'Nothing is sent\nuntil then.'],
  button: {
    label: 'Look at it',
    url: 'https://harbour.example/preview?a=1&b=2',
  },
};

test('a notice says the same in both parts', () => {
  const { subject, html, text } = renderNotice(notice);
  expect(subject).toBe('Issue <7> & its fate');
  for (const part of [visibleText(html), text]) {
    for (const line of [
      subject,
      'It has "five" articles.',
      'Nothing is sent until then.',
      'Look at it',
      notice.button.url,
    ]) {
      expect(part).toContain(line);
    }
    expect(part).toContain('This mail was sent by Harbour Letters.');
    expect(part).toContain('1 Quay Street');
    expect(part).not.toContain('Unsubscribe');
  }
  expect(hrefs(html).filter((url) => url === notice.button.url)).toHaveLength(2);
});

test('without a button there is none', () => {
  const { button: _, ...plain } = notice;
  expect(hrefs(renderNotice(plain).html)).toEqual([publication.baseUrl, ...Object.values(publication.links)]);
});

test('a right-to-left publication writes right to left', () => {
  const { html } = renderNotice({
    ...notice,
    publication: { ...publication, language: 'ar' },
  });
  expect(elements(html, 'html')[0]?.properties).toMatchObject({
    lang: 'ar',
    dir: 'rtl',
  });
  expect(visibleText(html)).toContain('أُرسلت هذه الرسالة من «Harbour Letters».');
});
