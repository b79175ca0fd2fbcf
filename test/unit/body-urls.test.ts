import { describe, expect, test } from 'vitest';
import { renderBody } from '../../src/render/body.ts';

function rendered(html: string, articleUrl = 'https://news.example/p/one'): string {
  return renderBody({ html }, articleUrl).html;
}

describe('links are absolute against the article', () => {
  test.each<[articleUrl: string, href: string, expected: string]>([
    ['https://news.example/p/one', 'two', 'https://news.example/p/two'],
    ['https://news.example/p/one/', 'two', 'https://news.example/p/one/two'],
    ['https://news.example/p/one/', '../two', 'https://news.example/p/two'],
    ['https://news.example/p/one', '/x?y=1&amp;z=2', 'https://news.example/x?y=1&amp;z=2'],
    ['https://news.example/p/one', '?y', 'https://news.example/p/one?y'],
    ['https://news.example/p/one', '', 'https://news.example/p/one'],
    ['https://news.example/p/one?a#b', '#fn1', 'https://news.example/p/one?a#fn1'],
    ['http://localhost:8787/articles/one', '//cdn.example/a', 'https://cdn.example/a'],
    ['http://localhost:8787/articles/one', '/\t/cdn.example/a', 'https://cdn.example/a'],
    ['http://localhost:8787/articles/one', '\\\\cdn.example\\a', 'https://cdn.example/a'],
    ['https://news.example/p/one', ' https://tide.example ', 'https://tide.example/'],
    ['https://news.example/p/one', 'HTTP://Tide.Example/A', 'http://tide.example/A'],
    ['https://news.example/p/one', 'https://tïde.example/ä b', 'https://xn--tde-zma.example/%C3%A4%20b'],
    ['https://news.example/p/one', 'mailto:desk@news.example?subject=a', 'mailto:desk@news.example?subject=a'],
    ['https://news.example/p/one', 'tel:+4930123', 'tel:+4930123'],
  ])('%s and %j', (articleUrl, href, expected) => {
    expect(rendered(`<a href="${href}">a</a>`, articleUrl)).toBe(`<a href="${expected}">a</a>`);
  });

  test.each([
    'ftp://a.example/',
    'feed:https://a.example',
    'sms:1',
    'data:,a',
    'about:blank',
    'https://',
    'https://a b/',
    'news.example:80',
  ])('%j is no link', (href) => {
    expect(rendered(`<a href="${href}">a</a>`)).toBe('a');
  });
});

describe('so is everything else that is an address', () => {
  test.each<[name: string, html: string, expected: string]>([
    ['an image', '<img src="figs/a.png" alt="A">', '<img src="https://news.example/p/figs/a.png" alt="A">'],
    ['an image of another host', '<img src="//cdn.example/a.png">', '<img src="https://cdn.example/a.png" alt="">'],
    [
      'a set',
      '<img src="a.png" srcset="a.png 1x, b.png 2x">',
      '<img src="https://news.example/p/a.png" srcset="https://news.example/p/a.png 1x, https://news.example/p/b.png 2x" alt="">',
    ],
    [
      'a set with commas in it',
      '<img src="a" srcset="/w_1,h_2/a 1x,/b, //cdn.example/c  300w ,,">',
      '<img src="https://news.example/p/a" srcset="https://news.example/w_1,h_2/a 1x, https://news.example/b, https://cdn.example/c 300w" alt="">',
    ],
    [
      'a set with data in it',
      '<img src="a" srcset="data:image/gif;base64,R0lGOD 1x, b 2x">',
      '<img src="https://news.example/p/a" srcset="https://news.example/p/b 2x" alt="">',
    ],
    ['a set of nothing', '<img src="a" srcset=" , ,">', '<img src="https://news.example/p/a" alt="">'],
    [
      'picture sources',
      '<picture><source srcset="a.webp 2x" type="image/webp" media="(min-width: 9em)"><img src="a.png"></picture>',
      '<picture><source srcset="https://news.example/p/a.webp 2x" type="image/webp" media="(min-width: 9em)"><img src="https://news.example/p/a.png" alt=""></picture>',
    ],
    [
      'a quotation',
      '<blockquote cite="a"><q cite="javascript:x">b</q> <del cite="/c">d</del></blockquote>',
      '<blockquote cite="https://news.example/p/a"><q>b</q> <del cite="https://news.example/c">d</del></blockquote>',
    ],
    [
      'a long description',
      '<img src="a" longdesc="b" alt="c">',
      '<img src="https://news.example/p/a" longdesc="https://news.example/p/b" alt="c">',
    ],
    [
      'a background',
      '<table background="a.png"><tr><td background="javascript:x">b</td></tr></table>',
      '<table background="https://news.example/p/a.png"><tbody><tr><td>b</td></tr></tbody></table>',
    ],
    [
      'a film',
      '<video src="a.mp4" poster="a.jpg" autoplay loop onplay="x()" width="640">No film</video>',
      '<video src="https://news.example/p/a.mp4" poster="https://news.example/p/a.jpg" width="640" controls preload="none"><a href="https://news.example/p/a.mp4">news.example/p/a.mp4</a></video>',
    ],
    [
      'its sources and tracks',
      '<video title="Tide"><source src="a.webm" type="video/webm"><source src="data:video/mp4,x"><track src="a.vtt" kind="captions" srclang="en" default></video>',
      '<video title="Tide" controls preload="none"><source src="https://news.example/p/a.webm" type="video/webm"><track src="https://news.example/p/a.vtt" kind="captions" srclang="en" default><a href="https://news.example/p/a.webm">Tide</a></video>',
    ],
    [
      'sound',
      '<p><audio src="/a.mp3"></audio></p>',
      '<p><audio src="https://news.example/a.mp3" controls preload="none"><a href="https://news.example/a.mp3">news.example/a.mp3</a></audio></p>',
    ],
    ['sound that is nowhere', '<audio><source src="blob:x"><p>Ask us for it.</p></audio>', '<p>Ask us for it.</p>'],
  ])('%s', (_name, html, expected) => {
    expect(rendered(html)).toBe(expected);
  });
});

describe('what a page embeds becomes a link', () => {
  test.each<[name: string, html: string, expected: string]>([
    [
      'a frame',
      '<iframe src="https://video.example/embed/7"></iframe>',
      '<p><a href="https://video.example/embed/7">video.example/embed/7</a></p>',
    ],
    [
      'a frame with a title',
      '<iframe src="//video.example/embed/7?a=1" title=" Ebb\n &amp; flow "></iframe>',
      '<p><a href="https://video.example/embed/7?a=1">Ebb &amp; flow</a></p>',
    ],
    [
      'a frame of a whole site',
      '<iframe src="https://video.example"></iframe>',
      '<p><a href="https://video.example/">video.example</a></p>',
    ],
    [
      'a frame that waits for consent',
      '<iframe src="about:blank" data-src="/map"></iframe>',
      '<p><a href="https://news.example/map">news.example/map</a></p>',
    ],
    [
      'a frame inside a paragraph',
      '<p>a <iframe src="/b"></iframe></p>',
      '<p>a <a href="https://news.example/b">news.example/b</a></p>',
    ],
    [
      'a frame inside a link',
      '<a href="c"><iframe src="/b"></iframe></a>',
      '<a href="https://news.example/p/c">news.example/b</a>',
    ],
    [
      'a frame inside a link to nowhere',
      '<a><iframe src="/b"></iframe></a>',
      '<a href="https://news.example/b">news.example/b</a>',
    ],
    [
      'a frame nobody sees',
      '<iframe src="/b" width="0" height="0"></iframe><iframe src="/c" style="display:none"></iframe>',
      '',
    ],
    ['a frame of nothing', '<iframe srcdoc="<p>a</p>"></iframe>', ''],
    ['a plug-in', '<embed src="a.swf">', '<p><a href="https://news.example/p/a.swf">news.example/p/a.swf</a></p>'],
    [
      'an object and what stands in it',
      '<object data="a.pdf" type="application/pdf"><p>Get a reader</p><embed src="a.pdf"></object>',
      '<p><a href="https://news.example/p/a.pdf">news.example/p/a.pdf</a></p>',
    ],
  ])('%s', (_name, html, expected) => {
    expect(rendered(html)).toBe(expected);
  });
});
