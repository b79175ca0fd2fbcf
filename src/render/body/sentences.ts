import { trimEndOf } from './characters.ts';

const ELLIPSIS = '…';
/** A longer line without a full stop is text, a shorter one may be a heading. */
const HEADING_LENGTH = 80;
/** The rules of UAX 29 know no abbreviations: "Mr. Smith", "J. Smith" and "the U.S. Senate" end no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:(?:\p{Lu}\.)*\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Sgt|Lt|Capt|Col|Gen|Sen|Rep|Gov|Jr|Sr|No)\.\s*$/u;

/**
 * The first whole sentences of `text` that fit into `max` UTF-16 units; when not even one does, its first words and an
 * ellipsis. Headings in front, footnote numbers and all after a rule (`* * *`) are left out. Nothing is ever cut inside
 * a grapheme (UAX 29). An unknown language tag counts as English.
 */
export function firstSentences(text: string, language: string, max = 280): string {
  let summary = '';
  for (const sentence of sentencesOf(paragraphsOf(text), language)) {
    const longer = summary === '' ? sentence : `${summary} ${sentence}`;
    if (longer.length > max) return summary === '' ? cut(sentence, language, max) : summary;
    summary = longer;
  }
  return summary;
}

function paragraphsOf(text: string): string[] {
  const beforeRule = text.split(/^\* \* \*$/m, 1)[0] ?? '';
  const paragraphs = beforeRule
    .split(/\n[^\S\n]*\n/)
    .map((part) =>
      part
        .replace(/(?<=\S)\[\d{1,3}\]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((part) => part !== '');
  const first = paragraphs.findIndex(
    (part) => part.length > HEADING_LENGTH || /\p{Sentence_Terminal}\P{L}*$/u.test(part),
  );
  return first === -1 ? paragraphs : paragraphs.slice(first);
}

function* sentencesOf(paragraphs: string[], language: string): Generator<string> {
  const sentences = segmenter(language, 'sentence');
  for (const paragraph of paragraphs) {
    let pending = '';
    for (const { segment } of sentences.segment(paragraph)) {
      pending += segment;
      if (ABBREVIATION.test(segment)) continue;
      yield pending.trim();
      pending = '';
    }
    if (pending.trim() !== '') yield pending.trim();
  }
}

function cut(sentence: string, language: string, max: number): string {
  const room = max - ELLIPSIS.length;
  const words = trimEndOf(fitting(sentence, segmenter(language, 'word'), room), ' \u00A0,;:.–—-');
  const start = words === '' ? fitting(sentence, segmenter(language, 'grapheme'), room) : words;
  return start === '' ? '' : start + ELLIPSIS;
}

function fitting(text: string, segments: Intl.Segmenter, room: number): string {
  let end = 0;
  for (const { index, segment } of segments.segment(text)) {
    if (index + segment.length > room) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

function segmenter(language: string, granularity: 'grapheme' | 'word' | 'sentence'): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language, { granularity });
  } catch {
    return new Intl.Segmenter('en', { granularity });
  }
}
