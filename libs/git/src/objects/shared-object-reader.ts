import type { ObjectReader } from './object-reader';

/** Time after which an unused reader ends, in milliseconds. */
const IDLE_MS = 1_000;

/** One reader process that serves concurrent and following reads. It ends after a failure or when it is unused. */
export class SharedObjectReader {
  private reader: ObjectReader | undefined;
  /** Number of running reads. */
  private reading = 0;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly start: () => ObjectReader) {}

  async use<T>(work: (objects: ObjectReader) => Promise<T>): Promise<T> {
    const reader = (this.reader ??= this.start());
    this.reading++;
    clearTimeout(this.idle);
    try {
      return await work(reader);
    } catch (error) {
      if (this.reader === reader) this.reader = undefined;
      void reader.close();
      throw error;
    } finally {
      if (--this.reading === 0) this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  private end(): void {
    void this.reader?.close();
    this.reader = undefined;
  }
}
