import type { OutgoingEvent } from '@parlance/events';

/** Records in order what a use case does: writes with the events in their outboxes, and calls to other services. */
export class Effects {
  readonly list: string[] = [];
  /** Events stored in outboxes. */
  readonly events: OutgoingEvent[] = [];

  add(effect: string): void {
    this.list.push(effect);
  }

  store(what: string, events: readonly OutgoingEvent[] = []): void {
    this.add(what);
    this.events.push(...events);
  }

  clear(): void {
    this.list.length = 0;
    this.events.length = 0;
  }

  /** Payloads of stored events of one kind. */
  payloads(name: OutgoingEvent['payloadName']): object[] {
    return this.events.filter((event) => event.payloadName === name).map((event) => event.payload);
  }
}
