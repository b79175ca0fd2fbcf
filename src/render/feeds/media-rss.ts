import type { Attachment, Image } from '../../domain/article.ts';
import { type Element, element } from '../xml.ts';

/** A file in Media RSS 1.5.1, for RSS items that have an enclosure already or know no length. */
export function mediaContent(file: Attachment): Element {
  const title = file.title === undefined ? [] : [element('media:title', { type: 'plain' }, file.title)];
  const { url, type, durationSeconds } = file;
  const duration = durationSeconds === undefined ? undefined : Math.round(durationSeconds);
  return element('media:content', { url, fileSize: file.length || undefined, type, duration }, title);
}

/** The cover picture, for RSS and Atom alike; as an enclosure, readers would offer it for download. */
export function picture({ url, alt, type, length, width, height }: Image): Element[] {
  const description = alt === '' ? [] : [element('media:description', { type: 'plain' }, alt)];
  return [
    element('media:content', { url, fileSize: length, type, medium: 'image', height, width }, description),
    element('media:thumbnail', { url, height, width }),
  ];
}
