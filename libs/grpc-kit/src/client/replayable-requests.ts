/** Messages that are kept, so that a refused call can be sent again. Flow control lets a client send few before a server accepts its call. */
const MAX_KEPT = 16;

/**
 * The requests of a streaming call, which may be sent several times: a server that closes its connection refuses calls after the first
 * messages were sent. The source is read once.
 */
export class ReplayableRequests {
  private readonly source: AsyncIterator<object>;
  /** Reads of the source from the first one on; undefined once there were too many. */
  private kept: Promise<IteratorResult<object>>[] | undefined = [];
  private readings = 0;

  constructor(requests: AsyncIterable<object>) {
    this.source = requests[Symbol.asyncIterator]();
  }

  /** Whether another reading would have all messages. */
  get isReplayable(): boolean {
    return this.kept !== undefined;
  }

  /** Reads from the first message on. Ends the reading before, also while it waits for a message. */
  async *read(): AsyncGenerator<object> {
    const reading = ++this.readings;
    for (let i = 0; reading === this.readings; i++) {
      const { done, value } = await this.next(i);
      if (done || reading !== this.readings) return;
      yield value;
    }
  }

  private next(i: number): Promise<IteratorResult<object>> {
    const before = this.kept?.[i];
    if (before) return before;
    const next = this.source.next();
    if (i < MAX_KEPT) this.kept?.push(next);
    else this.kept = undefined;
    return next;
  }

  /** Releases the source, unless it has ended. */
  async close(): Promise<void> {
    await this.source.return?.();
  }
}
