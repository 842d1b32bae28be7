import type { OutgoingEvent } from '@parlance/events';

const names = (events: readonly OutgoingEvent[]): string =>
  events.length === 0 ? '' : ` (${events.map((e) => e.payloadName).join(', ')})`;

/** Records in order what a use case does: writes with the events in their outboxes, announcements, calls to other services. */
export class Effects {
  readonly list: string[] = [];
  /** Events stored in outboxes. */
  readonly events: OutgoingEvent[] = [];

  add(effect: string): void {
    this.list.push(effect);
  }

  store(what: string, events: readonly OutgoingEvent[] = []): void {
    this.add(`store ${what}${names(events)}`);
    this.events.push(...events);
  }

  announce(what: string, events: readonly OutgoingEvent[]): void {
    this.add(`announce ${what}${names(events)}`);
  }

  clear(): void {
    this.list.length = 0;
    this.events.length = 0;
  }

  /** Payloads of stored events of one kind. */
  payloads(name: OutgoingEvent['payloadName']): object[] {
    return this.events.filter((e) => e.payloadName === name).map((e) => e.payload);
  }
}

/** A concurrent writer: runs once, before the next conditional write of a store. */
export class Rival {
  private pending: (() => Promise<void>) | undefined;

  beforeNextWrite(write: () => Promise<void>): void {
    this.pending = write;
  }

  async act(): Promise<void> {
    const write = this.pending;
    this.pending = undefined;
    await write?.();
  }
}
