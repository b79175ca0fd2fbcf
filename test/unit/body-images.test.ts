import { expect, test } from 'vitest';
import { renderBody } from '../../src/render/body.ts';

const DATA = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const A = '<img src="https://news.example/a.jpg" alt="">';

test.each<[name: string, html: string, expected: string]>([
  ['data-src without a source', '<img data-src="/a.jpg">', A],
  ['data-src beside a placeholder', `<img src="${DATA}" data-src="/a.jpg" class="lazy">`, A],
  ['data-src beside a spinner', '<img src="/img/loading.gif" data-src="/a.jpg">', A],
  ['data-lazy-src', `<img src="${DATA}" data-lazy-src="/a.jpg">`, A],
  ['data-original', '<img src="/grey.gif" data-original="/a.jpg">', A],
  ['data-src that cannot be loaded', `<img src="/a.jpg" data-src="${DATA}">`, A],
  [
    'data-srcset',
    '<img data-src="/a.jpg" data-srcset="/a.jpg 1x, /b.jpg 2x" sizes="50vw">',
    '<img sizes="50vw" srcset="https://news.example/a.jpg 1x, https://news.example/b.jpg 2x" src="https://news.example/a.jpg" alt="">',
  ],
  [
    'data-lazy-srcset beside a placeholder set',
    `<img data-lazy-src="/a.jpg" srcset="${DATA} 1w" data-lazy-srcset="/b.jpg 2x">`,
    '<img srcset="https://news.example/b.jpg 2x" src="https://news.example/a.jpg" alt="">',
  ],
  [
    'a set alone',
    '<img srcset="/a.jpg 1x, /b.jpg 2x">',
    '<img srcset="https://news.example/a.jpg 1x, https://news.example/b.jpg 2x" src="https://news.example/a.jpg" alt="">',
  ],
  ['a placeholder of one pixel', '<img src="/s.gif" data-src="/a.jpg" width="1" height="1">', A],
  ['an image hidden until it is loaded', '<img style="display:none" data-src="/a.jpg">', A],
  [
    'a picture whose sources wait',
    `<picture><source data-srcset="/a.webp 1x"><img src="${DATA}" alt="Tide"></picture>`,
    '<picture><source srcset="https://news.example/a.webp 1x"><img src="https://news.example/a.webp" alt="Tide"></picture>',
  ],
  [
    'noscript beside a repaired image',
    `<img src="${DATA}" data-src="/a.jpg"><noscript><img src="/a.jpg?full"></noscript>`,
    A,
  ],
  [
    'noscript before it',
    '<noscript><img src="/a.jpg?full"></noscript>\n<!-- lazy -->\n<img data-src="/a.jpg">',
    `\n\n${A}`,
  ],
  [
    'noscript beside a link with the image',
    '<a href="/b"><img data-src="/a.jpg"></a><noscript><img src="/a.jpg"></noscript>',
    `<a href="https://news.example/b">${A}</a>`,
  ],
  [
    'noscript beside a placeholder',
    `<img src="${DATA}" alt="Tide"><noscript><img src="/a.jpg" alt="Tide"></noscript>`,
    '<img src="https://news.example/a.jpg" alt="Tide">',
  ],
  ['noscript alone', '<p>a</p><noscript>Please allow scripts <p><img src="/a.jpg"></p></noscript>', `<p>a</p>${A}`],
  [
    'noscript with a tracker',
    '<noscript><img src="https://count.example/p" width="1" height="1" style="display:none"></noscript>',
    '',
  ],
  ['a tracker', '<img src="https://count.example/p" width="1px" height="0" alt="x">', ''],
  [
    'a thin image',
    '<img src="/a.jpg" width="600" height="1">',
    '<img src="https://news.example/a.jpg" width="600" height="1" alt="">',
  ],
  [
    'an image that is gone, with and without words',
    `<p>a<img src="${DATA}">b <img alt="Tide table">c</p>`,
    '<p>ab Tide tablec</p>',
  ],
  [
    'sizes and loading',
    '<img src="/a.jpg" width="100%" height="auto" loading="lazy" decoding="async">',
    '<img src="https://news.example/a.jpg" width="100%" loading="lazy" alt="">',
  ],
])('%s', (_name, html, expected) => {
  expect(renderBody({ html }, 'https://news.example/p/one').html).toBe(expected);
});
