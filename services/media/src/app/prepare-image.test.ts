import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { type ImageError, MAX_BYTES } from '../domain/image';
import { prepareImage } from './prepare-image';

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
  return prepareImage(bytes).then(
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
  ] as const)('%s is recognized and unchanged', async (format, contentType, extension) => {
    const bytes = await picture(40, 30).toFormat(format).toBuffer();
    const encoded = await prepareImage(bytes);
    expect(encoded.bytes.equals(bytes)).toBe(true);
    expect(encoded).toMatchObject({ contentType, extension, width: 40, height: 30 });
    expect(await sharp(encoded.bytes).metadata()).toMatchObject({ format, width: 40, height: 30 });
  });

  it('animations keep their frames', async () => {
    const encoded = await prepareImage(await animation(20, 10, 3));
    expect(encoded).toMatchObject({ contentType: 'image/gif', width: 20, height: 10 });
    expect(await sharp(encoded.bytes, { animated: true }).metadata()).toMatchObject({ pages: 3, pageHeight: 10 });
  });

  it('images are stored byte for byte, whatever their pixel format', async () => {
    const grey = picture(40, 30).greyscale();
    const files = await Promise.all([
      grey.png().toBuffer(),
      grey.toColourspace('b-w').png({ progressive: true }).toBuffer(),
      picture(40, 30).png({ palette: true }).toBuffer(),
      picture(40, 30).toColourspace('rgb16').png().toBuffer(),
      picture(40, 30).ensureAlpha(0.4).png().toBuffer(),
      grey.toColourspace('b-w').jpeg({ progressive: true, quality: 31 }).toBuffer(),
      picture(40, 30).toColourspace('cmyk').jpeg().toBuffer(),
      picture(40, 30).withIccProfile('p3').jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
      picture(40, 30).withIccProfile('p3').png().toBuffer(),
      picture(40, 30).withIccProfile('p3').webp({ lossless: true }).toBuffer(),
      picture(40, 30).ensureAlpha(0.4).webp({ quality: 20 }).toBuffer(),
      animation(20, 10, 3),
      sharp(await animation(20, 10, 3), { animated: true })
        .webp()
        .toBuffer(),
    ]);
    for (const bytes of files) expect((await prepareImage(bytes)).bytes.equals(bytes)).toBe(true);
  });

  it.each(['jpeg', 'png', 'webp'] as const)(
    'metadata about people is removed and the orientation is kept (%s)',
    async (format) => {
      const secret = 'where I live';
      const plain = await picture(40, 30).toFormat(format).toBuffer();
      const bytes = await picture(40, 30)
        .withExif({ IFD0: { ImageDescription: secret }, IFD3: { GPSLatitude: '50/1 5/1 0/1', GPSLatitudeRef: 'N' } })
        .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>${secret}</a></x:xmpmeta>`)
        .withMetadata({ orientation: 6 })
        .toFormat(format)
        .toBuffer();
      const prepared = await prepareImage(Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]));
      expect(prepared).toMatchObject({ width: 30, height: 40 });
      for (const hidden of [secret, '<script>', 'xmpmeta', 'GPS']) expect(prepared.bytes.includes(hidden)).toBe(false);
      const { exif, xmp, orientation } = await sharp(prepared.bytes).metadata();
      expect({ xmp, orientation }).toEqual({ xmp: undefined, orientation: 6 });
      expect(exif?.length).toBeLessThan(40);
      const pixels = (file: Buffer) => sharp(file).raw().toBuffer();
      expect((await pixels(prepared.bytes)).equals(await pixels(bytes))).toBe(true);
      expect((await prepareImage(prepared.bytes)).bytes.equals(prepared.bytes)).toBe(true);
      const upright = await picture(40, 30)
        .withExif({ IFD0: { ImageDescription: secret } })
        .toFormat(format)
        .toBuffer();
      const bare = await prepareImage(upright);
      expect((await sharp(bare.bytes).metadata()).exif).toBeUndefined();
      if (format !== 'webp') expect(bare.bytes.equals(plain)).toBe(true);
    },
  );

  it('comments and texts are removed except for the name of the program', async () => {
    const chunk = (type: string, text: string): Buffer => {
      const body = Buffer.from(type + text, 'latin1');
      const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(text.length);
      sum.writeUInt32BE(crc32(body));
      return Buffer.concat([length, body, sum]);
    };
    const png = await picture(40, 30).png().toBuffer();
    const withChunks = (...chunks: Buffer[]): Buffer =>
      Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);
    const software = chunk('tEXt', 'Software\0drawer 1.0');
    const marked = withChunks(software, chunk('tEXt', 'Location\0home'), chunk('iTXt', 'XML:com.adobe.xmp\0\0\0\0\0x'));
    expect((await prepareImage(marked)).bytes.equals(withChunks(software))).toBe(true);

    const gif = await animation(20, 10, 3);
    const comment = Buffer.from([0x21, 0xfe, 4, ...Buffer.from('home'), 0]);
    const noted = Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1)]);
    expect((await prepareImage(noted)).bytes.equals(gif)).toBe(true);

    const jpeg = await picture(40, 30).jpeg().toBuffer();
    const named = Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, 6, ...Buffer.from('home')]),
      jpeg.subarray(2),
    ]);
    expect((await prepareImage(named)).bytes.equals(jpeg)).toBe(true);
  });

  it('images up to the size limit are accepted, and larger ones are rejected', async () => {
    expect(await problem(await picture(2000, 2000).png().toBuffer())).toBe('none');
    expect(await problem(await picture(2001, 10).png().toBuffer())).toBe('too_large');
    expect(await problem(await picture(10, 2001).jpeg().toBuffer())).toBe('too_large');
    expect(await problem(Buffer.alloc(MAX_BYTES + 1))).toBe('too_large');
    // Small frames on a canvas that the header makes large: 12 × 4 million pixels.
    const gif = await animation(20, 10, 12);
    expect(await problem(gif)).toBe('none');
    gif.writeUInt16LE(2000, 6);
    gif.writeUInt16LE(2000, 8);
    expect(await problem(gif)).toBe('too_large');
  });

  it('images are recognized by content and must be complete', async () => {
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

  it('images that claim an enormous size are rejected before decoding', async () => {
    // A PNG whose header claims 100 000 x 100 000 pixels.
    const png = await picture(10, 10).png().toBuffer();
    png.writeUInt32BE(100_000, 16);
    png.writeUInt32BE(100_000, 20);
    expect(['too_large', 'invalid_image']).toContain(await problem(png));
  });

  it('at most two images are processed at a time, and all are processed', async () => {
    const bytes = await picture(200, 200).png().toBuffer();
    const results = await Promise.all([
      ...Array.from({ length: 10 }, () => prepareImage(bytes)),
      prepareImage(Buffer.from('x')).catch(() => null),
    ]);
    expect(results.filter(Boolean)).toHaveLength(10);
  });
});
