import type { Sharp } from 'sharp';
import {
  imageTypes,
  ImageError,
  isImageType,
  MAX_BYTES,
  MAX_PIXELS,
  MAX_SIDE,
  type EncodedImage,
  type ImageType,
} from '../domain/image';

/** Images that are worked on at the same time; each may take 160 MB while it is decoded. */
const CONCURRENCY = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** Loaded with the first image: a process that has none to encode saves the memory. */
const load = async () => {
  const [{ default: sharp }, { fileTypeFromBuffer }] = await Promise.all([import('sharp'), import('file-type/core')]);
  sharp.cache(false);
  sharp.concurrency(1);
  return { sharp, fileTypeFromBuffer };
};
let tools: ReturnType<typeof load> | undefined;

function write(image: Sharp, type: ImageType): Sharp {
  switch (type) {
    case 'image/jpeg':
      return image.jpeg({ quality: 90 });
    case 'image/webp':
      return image.webp({ quality: 90 });
    case 'image/gif':
      return image.gif();
    default:
      return image.png();
  }
}

async function encode(bytes: Buffer): Promise<EncodedImage> {
  const { sharp, fileTypeFromBuffer } = await (tools ??= load());
  const type = (await fileTypeFromBuffer(bytes))?.mime ?? '';
  if (!isImageType(type)) throw new ImageError('invalid_image', 'The file is no PNG, JPEG, WebP or GIF image.');
  const animated = type === 'image/gif' || type === 'image/webp';
  try {
    // Only the header is read here, however much the image claims to hold.
    const {
      width,
      height,
      pageHeight = height,
      pages = 1,
    } = await sharp(bytes, { animated, limitInputPixels: false }).metadata();
    if (width > MAX_SIDE || pageHeight > MAX_SIDE)
      throw new ImageError(
        'too_large',
        `An image has at most ${MAX_SIDE} pixels on each side; this one has ${width} × ${pageHeight}.`,
      );
    if (width * pageHeight * pages > MAX_PIXELS)
      throw new ImageError('too_large', 'The animation has too many pictures.');
    // What is read is written anew: metadata (places, names, comments) and whatever else hides in a file do not survive.
    const image = sharp(bytes, { animated, limitInputPixels: MAX_PIXELS, failOn: 'error' });
    const { data, info } = await write(animated ? image : image.autoOrient(), type).toBuffer({
      resolveWithObject: true,
    });
    return { bytes: data, ...imageTypes[type], width: info.width, height: info.pageHeight ?? info.height };
  } catch (error) {
    if (error instanceof ImageError) throw error;
    throw new ImageError('invalid_image', 'The image is damaged and cannot be read.');
  }
}

/** Checks an image by its content, size and pixels, and encodes it anew in its own format. @throws ImageError */
export async function encodeImage(bytes: Buffer): Promise<EncodedImage> {
  if (bytes.length === 0) throw new ImageError('empty', 'The file of the image is empty.');
  if (bytes.length > MAX_BYTES)
    throw new ImageError('too_large', `An image has at most ${MAX_BYTES / 1024 / 1024} MiB.`);
  if (running >= CONCURRENCY) await new Promise<void>((go) => waiting.push(go));
  else running++;
  try {
    return await encode(bytes);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
