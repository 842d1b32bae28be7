import fc from 'fast-check';
import { ByteReader, ByteWriter } from './bytes';

describe('ByteWriter and ByteReader', () => {
  it('integers and bytes are read as they were written, in any order', () => {
    const integer = fc.oneof(fc.nat(300), fc.maxSafeNat());
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(fc.array(fc.oneof(integer, bytes), { maxLength: 60 }), (values) => {
        const writer = new ByteWriter();
        for (const value of values) {
          if (typeof value === 'number') writer.integer(value);
          else writer.bytes(value);
        }
        const reader = new ByteReader(writer.take());
        for (const value of values) {
          if (typeof value === 'number') expect(reader.integer()).toBe(value);
          else expect([...reader.bytes(value.length)]).toEqual([...value]);
        }
        expect(reader.atEnd).toBe(true);
      }),
    );
  });

  it('integers are stored in base 128, the lowest digits first', () => {
    const writer = new ByteWriter();
    for (const value of [0, 127, 128, 300]) writer.integer(value);
    expect([...writer.take()]).toEqual([0, 127, 0x80, 1, 0xac, 2]);
  });

  it('a writer grows beyond its first buffer, and taken bytes are not changed by later ones', () => {
    const writer = new ByteWriter();
    const large = new Uint8Array(10_000).fill(7);
    writer.bytes(large);
    expect(writer.length).toBe(10_000);
    const taken = writer.take();
    expect(writer.length).toBe(0);
    writer.bytes(new Uint8Array(5).fill(9));
    expect([...taken]).toEqual([...large]);
    expect(writer.take()).toHaveLength(5);
  });

  it('a read beyond the end is an error, for integers, bytes and skipped bytes', () => {
    expect(() => new ByteReader(Uint8Array.from([0x80])).integer()).toThrow(RangeError);
    expect(() => new ByteReader(Uint8Array.from([1])).bytes(2)).toThrow(RangeError);
    expect(() => new ByteReader(Uint8Array.from([1])).skip(2)).toThrow(RangeError);
    expect(() => new ByteReader(Uint8Array.from([1, 2, 3]), 0, 1).skip(2)).toThrow(RangeError);
  });

  it('a reader of a part starts and ends within its bytes', () => {
    const reader = new ByteReader(Uint8Array.from([1, 2, 3, 4]), 1, 3);
    expect([reader.integer(), reader.integer(), reader.atEnd]).toEqual([2, 3, true]);
    expect(() => reader.integer()).toThrow(RangeError);
  });
});
