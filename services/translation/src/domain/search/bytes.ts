/** Appends variable-length integers (LEB128) and bytes. */
export class ByteWriter {
  private buffer = Buffer.allocUnsafe(1 << 12);
  length = 0;

  private reserve(count: number): void {
    if (this.length + count <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + count));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }

  integer(value: number): void {
    this.reserve(8);
    let left = value;
    for (; left >= 0x80; left = Math.floor(left / 0x80)) this.buffer[this.length++] = (left % 0x80) | 0x80;
    this.buffer[this.length++] = left;
  }

  bytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The bytes written so far; empties the writer. */
  take(): Buffer {
    const taken = Buffer.from(this.buffer.subarray(0, this.length));
    this.length = 0;
    return taken;
  }
}

/** Reads the output of {@link ByteWriter}. @throws RangeError at the end */
export class ByteReader {
  constructor(
    private readonly buffer: Uint8Array,
    public at = 0,
    private readonly end = buffer.length,
  ) {}

  get atEnd(): boolean {
    return this.at >= this.end;
  }

  integer(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      if (this.at >= this.end) throw new RangeError('index: unexpected end of data');
      const byte = this.buffer[this.at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }

  bytes(length: number): Uint8Array {
    this.skip(length);
    return this.buffer.subarray(this.at - length, this.at);
  }

  /** Faster than {@link bytes}, which creates a view. */
  skip(length: number): void {
    if (this.at + length > this.end) throw new RangeError('index: unexpected end of data');
    this.at += length;
  }
}
