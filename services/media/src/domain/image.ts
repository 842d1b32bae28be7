import { trimOf } from '@parlance/patterns';
/** Maximum upload, in bytes. */
export const MAX_BYTES = 10 * 1024 * 1024;
/** Maximum side, in pixels. */
export const MAX_SIDE = 2000;
/** Maximum pixels over all frames of an animation, because decoding must fit in memory. */
export const MAX_PIXELS = 40_000_000;

/** Accepted image types, detected by content, and their stored form. */
export const imageTypes = {
  'image/png': { contentType: 'image/png', extension: 'png' },
  'image/apng': { contentType: 'image/png', extension: 'png' },
  'image/jpeg': { contentType: 'image/jpeg', extension: 'jpg' },
  'image/webp': { contentType: 'image/webp', extension: 'webp' },
  'image/gif': { contentType: 'image/gif', extension: 'gif' },
} as const;
export type ImageType = keyof typeof imageTypes;

export const isImageType = (type: string): type is ImageType => Object.hasOwn(imageTypes, type);

/** An invalid image; the code is one of the public API. */
export class ImageError extends Error {
  constructor(
    readonly code: 'empty' | 'invalid_image' | 'too_large',
    message: string,
  ) {
    super(message);
  }
}

/** An image in its stored form. */
export interface PreparedImage {
  bytes: Buffer;
  contentType: string;
  extension: string;
  width: number;
  height: number;
}

const MAX_NAME = 100;

/**
 * A file name that is safe in headers and file systems, with the extension of the content type.
 * @param fallback name of a file without one
 */
export function safeFilename(given: string, extension: string, fallback = 'screenshot'): string {
  const base = given
    .normalize('NFC')
    .replace(/^.*[/\\]/s, '')
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}._ -]/gu, '_');
  const cut = [...trimOf(base, '. ')].slice(0, MAX_NAME).join('').trim();
  return `${cut || fallback}.${extension}`;
}
