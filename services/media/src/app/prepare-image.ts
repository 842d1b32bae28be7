import {
  imageTypes,
  ImageError,
  isImageType,
  MAX_BYTES,
  MAX_PIXELS,
  MAX_SIDE,
  type PreparedImage,
  type ImageType,
} from '../domain/image';
import { stripMetadata } from '../domain/strip-metadata';

/** Concurrently processed images; decoding one may take 160 MB. */
const CONCURRENCY = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** Loaded on demand to save memory in processes without images. */
const load = async () => {
  const [{ default: sharp }, { fileTypeFromBuffer }] = await Promise.all([import('sharp'), import('file-type/core')]);
  sharp.cache(false);
  sharp.concurrency(1);
  return { sharp, fileTypeFromBuffer };
};
let tools: ReturnType<typeof load> | undefined;

async function prepare(bytes: Buffer): Promise<PreparedImage> {
  const { sharp, fileTypeFromBuffer } = await (tools ??= load());
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? '';
  if (!isImageType(type)) throw new ImageError('invalid_image', 'The file must be a PNG, JPEG, WebP or GIF image.');
  const animated = type === 'image/gif' || type === 'image/webp';
  try {
    // Reads only the header, whatever size the image claims.
    const header = await sharp(bytes, { animated, limitInputPixels: false }).metadata();
    const { width, height, orientation = 1 } = header;
    const { pageHeight = height, pages = countFrames(bytes, type) } = header;
    if (width > MAX_SIDE || pageHeight > MAX_SIDE)
      throw new ImageError(
        'too_large',
        `An image has at most ${MAX_SIDE} pixels on each side; this one has ${width} × ${pageHeight}.`,
      );
    if (width * pageHeight * pages > MAX_PIXELS)
      throw new ImageError('too_large', 'The animation has too many frames.');
    const stripped = stripMetadata(bytes, type, orientation);
    // Decoding only validates the pixels: the uploaded bytes are stored. One channel bounds the memory.
    const decoded = sharp(stripped, { animated, limitInputPixels: MAX_PIXELS, failOn: 'error' });
    await decoded.extractChannel(0).raw().toBuffer();
    const isTurned = orientation >= FIRST_TURNED;
    const [shownWidth, shownHeight] = isTurned ? [pageHeight, width] : [width, pageHeight];
    return { bytes: stripped, ...imageTypes[type], width: shownWidth, height: shownHeight };
  } catch (error) {
    if (error instanceof ImageError) throw error;
    throw new ImageError('invalid_image', 'The image is damaged and cannot be decoded.');
  }
}

/** Higher EXIF orientations swap width and height. */
const FIRST_TURNED = 5;

/** Number of frames of an animated PNG, which the decoder does not report. */
function countFrames(bytes: Buffer, type: ImageType): number {
  if (type !== 'image/apng') return 1;
  let count = 0;
  for (let at = bytes.indexOf('fcTL'); at >= 0; at = bytes.indexOf('fcTL', at + 4)) count += 1;
  return Math.max(count, 1);
}

/**
 * Validates an image by content, size and pixels, and strips metadata that can locate or identify people. Pixels are not re-encoded.
 * @throws ImageError
 */
export async function prepareImage(bytes: Buffer): Promise<PreparedImage> {
  if (bytes.length === 0) throw new ImageError('empty', 'The image file is empty.');
  if (bytes.length > MAX_BYTES)
    throw new ImageError('too_large', `An image has at most ${MAX_BYTES / 1024 / 1024} MiB.`);
  if (running >= CONCURRENCY) await new Promise<void>((go) => waiting.push(go));
  else running++;
  try {
    return await prepare(bytes);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
