import type { Attachment, Image } from '../../domain/article.ts';
import { cleanText } from '../body/characters.ts';
import { webUrl } from './address.ts';

/** Media types people write, and the registered ones they mean. */
const MEANT = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/svg', 'image/svg+xml'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-mp3', 'audio/mpeg'],
  ['audio/x-mpeg', 'audio/mpeg'],
  ['audio/m4a', 'audio/mp4'],
  ['application/x-pdf', 'application/pdf'],
]);

/** Asked only when the given type is none. */
const BY_EXTENSION = new Map([
  ['avif', 'image/avif'],
  ['epub', 'application/epub+zip'],
  ['gif', 'image/gif'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['m4a', 'audio/mp4'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'video/mp4'],
  ['oga', 'audio/ogg'],
  ['ogg', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['wav', 'audio/wav'],
  ['webm', 'video/webm'],
  ['webp', 'image/webp'],
  ['zip', 'application/zip'],
]);

/** `type-name "/" subtype-name` of RFC 6838 section 4.2, without parameters. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

/** The registered media type that is meant, from what was given or else the address's extension. */
function mediaType(given: string | undefined, url: string): string | undefined {
  const type = (given ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (MEDIA_TYPE.test(type)) return MEANT.get(type) ?? type;
  const extension = /\.([a-z0-9]+)$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION.get(extension);
}

/** A picture with a usable address; measures that are no positive whole numbers are left out. */
export function guardImage(image: Image, report: (message: string) => void): Image | undefined {
  const url = webUrl(image.url);
  if (url === undefined) {
    report(`${JSON.stringify(image.url)} is no absolute http or https URL; the picture is left out`);
    return undefined;
  }
  const type = mediaType(image.type, url);
  return {
    url,
    alt: cleanText(image.alt),
    ...positive('width', image.width),
    ...positive('height', image.height),
    ...positive('length', image.length),
    ...(type?.startsWith('image/') ? { type } : {}),
  };
}

/** An attachment with a usable address and a media type. Length 0 means: not known. */
export function guardAttachment(file: Attachment, report: (message: string) => void): Attachment | undefined {
  const url = webUrl(file.url);
  if (url === undefined) {
    report(`${JSON.stringify(file.url)} is no absolute http or https URL; the attachment is left out`);
    return undefined;
  }
  const type = mediaType(file.type, url);
  if (type === undefined) {
    report(`${JSON.stringify(file.type)} is no media type such as audio/mpeg; the attachment is left out`);
    return undefined;
  }
  const title = cleanText(file.title ?? '');
  const seconds = file.durationSeconds;
  return {
    url,
    type,
    length: positive('length', file.length).length ?? 0,
    ...(title === '' ? {} : { title }),
    ...(seconds !== undefined && Number.isFinite(seconds) && seconds >= 0 ? { durationSeconds: seconds } : {}),
  };
}

function positive<K extends string>(key: K, value: number | undefined): Partial<Record<K, number>> {
  return Number.isSafeInteger(value) && (value ?? 0) > 0 ? ({ [key]: value } as Record<K, number>) : {};
}
