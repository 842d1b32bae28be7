import { createHash } from 'node:crypto';
import { headers, type MsgHdrs } from 'nats';
import type { JetStreamClient, JetStreamManager, JsMsg } from '@nats-io/jetstream';
import { logger } from '@parlance/telemetry';
import { decodeEvent, subjectOf, type DecodedEvent } from './event';
import type { StreamNames } from './streams';

/** How long the server may take to store a dead letter or a replayed event, in milliseconds. */
const PUBLISH_TIMEOUT_MS = 5_000;
/** Longest error text that is stored with a dead letter, in characters. */
const MAX_ERROR_LENGTH = 1_000;

const SERVICE = 'Parlance-Service';
const SUBJECT = 'Parlance-Subject';
const ATTEMPTS = 'Parlance-Attempts';
const ERROR = 'Parlance-Error';

/** An event that a consumer could not handle. */
export interface DeadLetter {
  /** Position in the stream of dead letters. */
  sequence: number;
  /** Subject that the event was published on. */
  subject: string;
  /** Empty for an event that cannot be decoded. */
  eventId: string;
  /** Time of the event, milliseconds since the epoch; 0 for an event that cannot be decoded. */
  timeMs: number;
  /** Service whose consumer failed. */
  service: string;
  /** Durable name of the consumer that failed. */
  consumer: string;
  /** Deliveries before the consumer gave up; 0 when unknown. */
  attempts: number;
  error: string;
  /** When the consumer gave up, milliseconds since the epoch. */
  deadSinceMs: number;
}

/** Selects dead letters. Absent fields do not restrict. */
export interface DeadLetterFilter {
  service?: string;
  consumer?: string;
  eventId?: string;
  /** Position in the stream of dead letters. */
  sequence?: number;
}

/** Counts of a replay. */
export interface ReplayResult {
  /** Dead letters that matched the filter. */
  matched: number;
  /** Those of them whose events were published again; they are removed. */
  replayed: number;
  /** Dead letters of other consumers for the same events, which are removed, too: they receive the events again. */
  others: number;
}

interface StoredLetter {
  letter: DeadLetter;
  data: Uint8Array;
}

/** The dead letters of all consumers. */
export class DeadLetters {
  constructor(
    private readonly js: JetStreamClient,
    private readonly manager: JetStreamManager,
    private readonly names: StreamNames,
    private readonly service: string,
  ) {}

  /** Stores a message that a consumer gave up on. Idempotent per consumer and message. */
  async add(consumer: string, message: JsMsg, error: string): Promise<void> {
    const copied = headers();
    for (const [name, values] of message.headers ?? []) for (const value of values) copied.append(name, value);
    copied.set(SERVICE, this.service);
    copied.set(SUBJECT, message.subject);
    copied.set(ATTEMPTS, String(message.info.deliveryCount));
    copied.set(ERROR, headerText(error));
    await this.js.publish(this.subjectOf(consumer), message.data, {
      msgID: `${consumer}:${message.seq}`,
      headers: copied,
      timeout: PUBLISH_TIMEOUT_MS,
    });
    logger.error(
      { consumer, subject: message.subject, sequence: message.seq, reason: error },
      'event moved to the dead letters',
    );
  }

  /** Number of dead letters. */
  async count(): Promise<number> {
    return (await this.manager.streams.info(this.names.dead)).state.messages;
  }

  /** Matching dead letters, oldest first. */
  async *list(filter: DeadLetterFilter = {}): AsyncGenerator<DeadLetter> {
    for await (const { letter } of this.stored(filter)) yield letter;
  }

  /**
   * Publishes the events of matching dead letters again on their own subjects, each once. Every consumer of the subject receives them,
   * so the dead letters of all consumers for these events are removed: otherwise, those of consumers that fail again would double.
   * Handlers are idempotent. Idempotent itself: an event that was published but not removed is dropped by the server's duplicate
   * window when the replay is repeated.
   */
  async replay(filter: DeadLetterFilter = {}): Promise<ReplayResult> {
    const result: ReplayResult = { matched: 0, replayed: 0, others: 0 };
    const wanted = new Map<string, number[]>();
    for await (const stored of this.stored(filter)) {
      result.matched++;
      // Letters of older versions have no subject: without a decodable event, the subject is unknown.
      if (stored.letter.subject === '') continue;
      result.replayed++;
      wanted.set(eventOf(stored), []);
    }
    if (wanted.size === 0) return result;
    for await (const stored of this.stored({})) wanted.get(eventOf(stored))?.push(stored.letter.sequence);
    let removed = 0;
    for (const sequences of wanted.values()) removed += await this.replayEvent(sequences);
    // Another replay at the same time may have removed some of them.
    result.others = Math.max(0, removed - result.replayed);
    return result;
  }

  /** @param sequences of all letters of an event, ascending @returns the number of removed letters */
  private async replayEvent(sequences: readonly number[]): Promise<number> {
    const [oldest] = sequences;
    const stored = oldest === undefined ? undefined : await this.next(oldest, this.subjectOf('>'));
    // A replay or drop that runs at the same time has removed it.
    if (!stored || stored.letter.sequence !== oldest) return 0;
    const { letter, data } = stored;
    const msgID = `${letter.eventId}:replay:${letter.sequence}`;
    await this.js.publish(letter.subject, data, { msgID, timeout: PUBLISH_TIMEOUT_MS });
    // The oldest one last: as long as it exists, a repeated replay publishes the event under the same id.
    for (const sequence of [...sequences].reverse()) await this.remove(sequence);
    return sequences.length;
  }

  /** A dead letter with its event, which is null if it cannot be decoded. Null if there is no such letter. */
  async get(sequence: number): Promise<{ letter: DeadLetter; event: DecodedEvent | null } | null> {
    for await (const { letter, data } of this.stored({ sequence }))
      return { letter, event: letter.eventId === '' ? null : decodeEvent(data) };
    return null;
  }

  /** Deletes matching dead letters. Their effects are lost. @returns the number of deleted ones */
  async drop(filter: DeadLetterFilter): Promise<number> {
    let dropped = 0;
    for await (const { letter } of this.stored(filter)) {
      await this.remove(letter.sequence);
      dropped++;
    }
    return dropped;
  }

  private async remove(sequence: number): Promise<void> {
    try {
      await this.manager.streams.deleteMessage(this.names.dead, sequence);
    } catch (error) {
      // A replay that runs at the same time may have removed it first.
      if (await this.manager.streams.getMessage(this.names.dead, { seq: sequence })) throw error;
    }
  }

  /** Letters that the stream holds at the time of the call, so that a replay ends even if its events fail again meanwhile. */
  private async *stored(filter: DeadLetterFilter): AsyncGenerator<StoredLetter> {
    const { state } = await this.manager.streams.info(this.names.dead);
    const subject = this.subjectOf(filter.consumer ?? '>');
    let sequence = Math.max(state.first_seq, filter.sequence ?? 0);
    const last = Math.min(state.last_seq, filter.sequence ?? state.last_seq);
    while (sequence <= last) {
      const found = await this.next(sequence, subject);
      if (!found || found.letter.sequence > last) return;
      sequence = found.letter.sequence + 1;
      if (matches(found.letter, filter)) yield found;
    }
  }

  private async next(sequence: number, subject: string): Promise<StoredLetter | undefined> {
    // The server accepts both fields together; the client's type allows only one.
    const query: { seq: number } = { seq: sequence, ...{ next_by_subj: subject } };
    const message = await this.manager.streams.getMessage(this.names.dead, query);
    if (!message) return undefined;
    const consumer = message.subject.slice(this.subjectOf('').length);
    const origin = { sequence: message.seq, consumer, deadSinceMs: message.time.getTime() };
    return { letter: { ...origin, ...this.describe(consumer, message.header, message.data) }, data: message.data };
  }

  private describe(consumer: string, header: MsgHdrs, data: Uint8Array) {
    const attempts = Number(header.get(ATTEMPTS) || 0);
    const common = { service: header.get(SERVICE) || consumer, attempts, error: header.get(ERROR) };
    try {
      const event = decodeEvent(data);
      const subject = header.get(SUBJECT) || this.names.prefix + subjectOf(event.payloadName, event.key);
      return { ...common, subject, eventId: event.id, timeMs: event.timeMs };
    } catch (error) {
      return { ...common, error: common.error || String(error), subject: header.get(SUBJECT), eventId: '', timeMs: 0 };
    }
  }

  private subjectOf(consumer: string): string {
    return `${this.names.prefix}parlance.dead.${consumer}`;
  }
}

/** Identifies the event of a dead letter. */
const eventOf = ({ letter, data }: StoredLetter): string =>
  letter.eventId || `${letter.subject} ${createHash('sha256').update(data).digest('base64')}`;

function matches(letter: DeadLetter, { service, eventId }: DeadLetterFilter): boolean {
  // Letters of older versions name only the consumer, whose name begins with the service's.
  if (service !== undefined && letter.service !== service && !letter.consumer.startsWith(`${service}-`)) return false;
  return eventId === undefined || letter.eventId === eventId;
}

/** Headers are single lines. */
function headerText(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_ERROR_LENGTH);
}
