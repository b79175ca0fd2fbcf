import type { Root } from 'hast';
import rehypeSanitize, { type Options } from 'rehype-sanitize';
import { unified } from 'unified';

/** Only what the schema names is left; ids keep their names, because links from elsewhere point at them. */
export function sanitise(tree: Root): Root {
  return processor.runSync(tree);
}

const ALIGN: [string, ...string[]] = ['align', 'left', 'right', 'center', 'justify'];
const SIZE: [string, RegExp][] = [
  ['width', /^\d{1,5}(\.\d+)?%?$/],
  ['height', /^\d{1,5}(\.\d+)?%?$/],
];
const CELL = [ALIGN, ['vAlign', 'top', 'middle', 'bottom', 'baseline'], ...SIZE, 'background'] as [
  string,
  ...string[],
][];

const schema: Options = {
  tagNames: [
    'a abbr address article aside audio b bdi bdo blockquote br caption cite code col colgroup dd del details dfn div dl',
    'dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li mark nav ol p picture pre q rp rt',
    'ruby s samp section small source span strong sub summary sup table tbody td tfoot th thead time tr track u ul var',
    'video wbr',
  ].flatMap((line) => line.split(' ')),
  strip: [
    'applet base button canvas datalist dialog embed form frame frameset iframe input link map area math meta noembed',
    'noframes noscript object optgroup option output param progress meter portal script select style svg template',
    'textarea title',
  ].flatMap((line) => line.split(' ')),
  ancestors: {
    ...Object.fromEntries(
      ['caption', 'col', 'colgroup', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'].map((name) => [name, ['table']]),
    ),
    source: ['picture', 'video', 'audio'],
    track: ['video', 'audio'],
  },
  attributes: {
    '*': ['id', 'lang', ['dir', 'ltr', 'rtl', 'auto'], 'title'],
    a: ['href', ['className', 'data-footnote-backref']],
    audio: ['src', 'controls', 'preload'],
    blockquote: ['cite'],
    code: [['className', /^language-[\w+#.-]+$/]],
    col: ['span', ALIGN, ...SIZE],
    colgroup: ['span', ALIGN, ...SIZE],
    del: ['cite', 'dateTime'],
    details: ['open'],
    div: [ALIGN],
    h1: [ALIGN],
    h2: [ALIGN],
    h3: [ALIGN],
    h4: [ALIGN],
    h5: [ALIGN],
    h6: [ALIGN],
    img: ['src', 'srcSet', 'sizes', 'alt', ...SIZE, 'longDesc', ['loading', 'lazy', 'eager'], ALIGN],
    ins: ['cite', 'dateTime'],
    li: ['value', ['className', 'task-list-item']],
    ol: ['start', 'reversed', ['type', '1', 'a', 'A', 'i', 'I']],
    p: [ALIGN],
    q: ['cite'],
    section: [['className', 'footnotes']],
    source: ['src', 'srcSet', 'sizes', 'type', 'media', ...SIZE],
    table: [
      ALIGN,
      ...SIZE,
      ['border', /^\d{1,2}$/],
      ['cellPadding', /^\d{1,2}$/],
      ['cellSpacing', /^\d{1,2}$/],
      'background',
    ],
    tbody: [ALIGN],
    td: [...CELL, 'colSpan', 'rowSpan', 'headers'],
    tfoot: [ALIGN],
    th: [...CELL, 'colSpan', 'rowSpan', 'headers', 'abbr', ['scope', 'row', 'col', 'rowgroup', 'colgroup']],
    thead: [ALIGN],
    time: ['dateTime'],
    tr: [ALIGN, 'background'],
    track: ['src', 'kind', 'srcLang', 'label', 'default'],
    ul: [['className', 'contains-task-list']],
    video: ['src', 'poster', 'controls', 'preload', ...SIZE],
  },
  // The URLs are resolved and judged before; this is the second lock on the same door.
  protocols: {
    background: ['http', 'https'],
    cite: ['http', 'https'],
    href: ['http', 'https', 'mailto', 'tel'],
    longDesc: ['http', 'https'],
    poster: ['http', 'https'],
    src: ['http', 'https'],
  },
  clobber: [],
  clobberPrefix: '',
  required: {},
};

const processor = unified().use(rehypeSanitize, schema).freeze();
