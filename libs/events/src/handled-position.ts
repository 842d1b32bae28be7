/** A message as the server delivered it: the number of the delivery for its consumer, and the message's sequence in the stream. */
export interface DeliveredAt {
  delivery: number;
  stream: number;
}

/** Position of a consumer as the server knows it: up to `floor`, every delivery is acknowledged. */
export interface ServerPosition {
  floor: DeliveredAt;
  /** Last delivery to any process. */
  delivered: number;
}

/** Deliveries after a gap that are remembered; beyond them only the server knows the position. */
const MAX_AHEAD = 10_000;

/**
 * The sequence up to which a consumer's events have been handled, as far as this process knows. The server numbers deliveries without gaps.
 * A gap in those to this process is an event that another replica handles, so the position stays before it until the server confirms it.
 */
export class HandledPosition {
  /** Null before the server has reported a position. */
  private floor: DeliveredAt | null = null;
  /** Stream sequences of deliveries after the floor, by delivery. */
  private readonly ahead = new Map<number, number>();
  /** Deliveries of events that are to be delivered again, by stream sequence. */
  private readonly retried = new Map<number, number[]>();

  get sequence(): number {
    return this.floor?.stream ?? 0;
  }

  /** The event has been handled, is a dead letter, or waits for a late retry. */
  settled({ delivery, stream }: DeliveredAt): void {
    for (const number of [delivery, ...(this.retried.get(stream) ?? [])]) this.ahead.set(number, stream);
    this.retried.delete(stream);
    if (this.floor && this.ahead.has(this.floor.delivery + 1)) this.moveFrom(this.floor);
    if (this.ahead.size > MAX_AHEAD) this.ahead.clear();
  }

  /** The event failed and is to be delivered again at once. */
  failed({ delivery, stream }: DeliveredAt): void {
    this.retried.set(stream, [...(this.retried.get(stream) ?? []), delivery]);
  }

  confirm({ floor, delivered }: ServerPosition): void {
    // A consumer that was created again numbers its deliveries from 1.
    const isNew = this.floor !== null && delivered < this.floor.delivery;
    if (isNew) this.ahead.clear();
    if (this.floor === null || isNew || floor.delivery > this.floor.delivery) this.moveFrom(floor);
  }

  /** Moves the floor to the last of the deliveries that follow the given one without a gap. */
  private moveFrom({ delivery, stream }: DeliveredAt): void {
    for (let next; (next = this.ahead.get(delivery + 1)) !== undefined; delivery++) stream = Math.max(stream, next);
    this.floor = { delivery, stream };
    for (const number of this.ahead.keys()) if (number <= delivery) this.ahead.delete(number);
  }
}
