import sharp from 'sharp';
import { type ImageError, MAX_BYTES } from '../domain/image';
import { encodeImage } from './encode-image';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 90 } } });

async function animation(width: number, height: number, frames: number): Promise<Buffer> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      sharp({ create: { width, height, channels: 3, background: { r: i * 20, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(pages, { join: { animated: true } })
    .gif()
    .toBuffer();
}

async function problem(bytes: Buffer): Promise<string> {
  return encodeImage(bytes).then(
    () => 'none',
    (error: unknown) => (error as ImageError).code,
  );
}

describe('images', () => {
  it.each([
    ['png', 'image/png', 'png'],
    ['jpeg', 'image/jpeg', 'jpg'],
    ['webp', 'image/webp', 'webp'],
    ['gif', 'image/gif', 'gif'],
  ] as const)('%s stays what it is', async (format, contentType, extension) => {
    const encoded = await encodeImage(await picture(40, 30).toFormat(format).toBuffer());
    expect(encoded).toMatchObject({ contentType, extension, width: 40, height: 30 });
    expect(await sharp(encoded.bytes).metadata()).toMatchObject({ format, width: 40, height: 30 });
  });

  it('keep their frames', async () => {
    const encoded = await encodeImage(await animation(20, 10, 3));
    expect(encoded).toMatchObject({ contentType: 'image/gif', width: 20, height: 10 });
    expect(await sharp(encoded.bytes, { animated: true }).metadata()).toMatchObject({ pages: 3, pageHeight: 10 });
  });

  it('lose what is hidden in them, and are turned the right way up', async () => {
    const secret = 'where I live';
    const bytes = await picture(40, 30)
      .jpeg()
      .withExif({ IFD0: { ImageDescription: secret } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const appended = Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]);
    const encoded = await encodeImage(appended);
    expect(encoded).toMatchObject({ width: 30, height: 40 });
    expect(encoded.bytes.includes(secret)).toBe(false);
    expect(encoded.bytes.includes('<script>')).toBe(false);
    expect((await sharp(encoded.bytes).metadata()).exif).toBeUndefined();
  });

  it('may be as large as allowed, and not larger', async () => {
    expect(await problem(await picture(2000, 2000).png().toBuffer())).toBe('none');
    expect(await problem(await picture(2001, 10).png().toBuffer())).toBe('too_large');
    expect(await problem(await picture(10, 2001).jpeg().toBuffer())).toBe('too_large');
    expect(await problem(Buffer.alloc(MAX_BYTES + 1))).toBe('too_large');
    // Small pictures on a canvas that its header makes large: 12 × 4 million pixels.
    const gif = await animation(20, 10, 12);
    expect(await problem(gif)).toBe('none');
    gif.writeUInt16LE(2000, 6);
    gif.writeUInt16LE(2000, 8);
    expect(await problem(gif)).toBe('too_large');
  });

  it('are known by their content and must be whole', async () => {
    const png = await picture(300, 300).png().toBuffer();
    expect(await problem(Buffer.alloc(0))).toBe('empty');
    expect(await problem(Buffer.from('GIF89a, I say'))).toBe('invalid_image');
    expect(await problem(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBe('invalid_image');
    expect(await problem(Buffer.from('%PDF-1.7\n'))).toBe('invalid_image');
    expect(await problem(await picture(30, 30).tiff().toBuffer())).toBe('invalid_image');
    expect(await problem(png.subarray(0, png.length / 2))).toBe('invalid_image');
    const flipped = Buffer.from(png);
    flipped.fill(0xff, 60, 120);
    expect(await problem(flipped)).toBe('invalid_image');
  });

  it('that claim to be enormous are refused before they are decoded', async () => {
    // A PNG whose header speaks of 100 000 x 100 000 pixels.
    const png = await picture(10, 10).png().toBuffer();
    png.writeUInt32BE(100_000, 16);
    png.writeUInt32BE(100_000, 20);
    expect(['too_large', 'invalid_image']).toContain(await problem(png));
  });

  it('are worked on two at a time, all of them', async () => {
    const bytes = await picture(200, 200).png().toBuffer();
    const results = await Promise.all([
      ...Array.from({ length: 10 }, () => encodeImage(bytes)),
      encodeImage(Buffer.from('x')).catch(() => null),
    ]);
    expect(results.filter(Boolean)).toHaveLength(10);
  });
});
