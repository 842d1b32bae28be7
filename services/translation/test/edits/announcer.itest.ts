import { EventBus, OutboxMeter, type IncomingEvent } from '@parlance/events';
import { metrics } from '@parlance/telemetry';
import { engines, TcpRelay } from '@parlance/testing';
import { randomUUID } from 'node:crypto';
import { writeUnit } from '../../src/app/edit/write-units';
import { outboxBacklog } from '../../src/app/effects/outbox-backlog';
import { count, emptyCounters } from '../../src/domain/counters';
import type { Announcer } from '../../src/domain/ports';
import { EventAnnouncer } from '../../src/clients/event-announcer';
import { sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';
import { uncached } from '../support/uncached';

const database = useDatabase();

/** The backlog that the process exports. */
async function reportedBacklog(): Promise<{ events: number; aged: boolean }> {
  const value = async (name: string) => (await metrics.getSingleMetric(name)!.get()).values[0]!.value;
  return {
    events: await value('parlance_outbox_events'),
    aged: (await value('parlance_outbox_oldest_event_age_seconds')) > 0,
  };
}

const relayedEvents = async (): Promise<number> =>
  (await metrics.getSingleMetric('parlance_outbox_relayed_total')!.get()).values[0]?.value ?? 0;

/** Stores a translation with untranslated strings. */
async function storeTranslation(stores: ReturnType<typeof database.stores>, strings: number) {
  const [id] = await stores.ids.range('translation', 1);
  const counters = emptyCounters();
  const translation = sampleTranslation(id!, { counters });
  const units = (await stores.ids.range('unit', strings)).map((unit) => sampleUnit(translation, unit));
  for (const unit of units) count(counters, unit, 1);
  await stores.translations.insert(translation);
  await stores.units.insert(units);
  return { id: id!, units };
}

it('An edit during an outage of NATS is saved, and its event is published after the outage', async () => {
  const { natsUrl } = await engines();
  const relay = await TcpRelay.start(natsUrl);
  const url = relay.url;
  const bus = await EventBus.connect({ url, service: 'test', namespace: `t${randomUUID().slice(0, 8)}` });
  const late: Announcer = {
    updated: (...change) => announcer.updated(...change),
    deleted: (translation) => announcer.deleted(translation),
  };
  const stores = database.stores(late);
  const announcer = new EventAnnouncer(bus, stores.announcementMarks, uncached, []);
  announcer.start();
  const meter = new OutboxMeter((before, limit) => outboxBacklog(stores, before, limit));
  const announced: { translated: number; revision: number; timeMs: number; writtenMs: number | undefined }[] = [];
  let onEvents: () => unknown = () => undefined;
  const consumer = await bus.consume({
    durable: 'test-announced',
    payloads: ['translationUpdated'],
    handle: async (events: IncomingEvent<'translationUpdated'>[]) => {
      for (const { payload, timeMs, writtenMs } of events)
        announced.push({
          translated: payload.counters!.translated!.strings,
          revision: payload.revision,
          timeMs,
          writtenMs,
        });
      onEvents();
    },
  });
  try {
    const { id, units } = await storeTranslation(stores, 3);
    const edit = (at: number) =>
      writeUnit(
        stores,
        { unit: units[at]!, patch: { target: ['Text'], state: 20 }, changes: [] },
        { author: null, time: Date.now() },
      );
    const announcementOf = (translated: number) =>
      new Promise<void>((resolve) => {
        onEvents = () => announced.at(-1)!.translated === translated && resolve();
      });

    const first = announcementOf(1);
    expect(await edit(0)).toBe(true);
    await first;
    expect(announced).toMatchObject([{ translated: 1, writtenMs: undefined }]);

    await relay.stop();
    const relayedBefore = await relayedEvents();
    const outageAt = Date.now();
    expect(await edit(1)).toBe(true);
    const editedAt = Date.now();
    expect(await edit(2)).toBe(true);
    expect((await stores.translations.get(id))!.counters.translated.s).toBe(3);
    expect(await stores.announcementMarks.listUnannounced(10)).toMatchObject([{ translation: { id } }]);
    await expect(announcer.announceMarked()).rejects.toThrow('does not answer');
    await meter.measureOnce();
    expect(await reportedBacklog()).toEqual({ events: 1, aged: true });

    const second = announcementOf(3);
    await relay.restart();
    await second;
    const last = announced.at(-1)!;
    expect(last.revision).toBe((await stores.translations.get(id))!.version);
    // The event has the time of the first write of the outage, and its own time for its position among other events.
    expect(last.writtenMs).toBeGreaterThanOrEqual(outageAt);
    expect(last.writtenMs).toBeLessThanOrEqual(editedAt);
    expect(last.timeMs).toBeGreaterThan(editedAt);
    await announcer.stop();
    expect(await relayedEvents()).toBe(relayedBefore + 1);
    expect(await stores.announcementMarks.listUnannounced(10)).toEqual([]);
    await meter.measureOnce();
    expect(await reportedBacklog()).toEqual({ events: 0, aged: false });
  } finally {
    await announcer.stop();
    await consumer.stop();
    await bus.close();
    await relay.stop();
  }
});

it('The backlog counts edits whose event could not be announced, and recovery empties it', async () => {
  let away = true;
  const announced: { id: number; earlier: number | undefined }[] = [];
  const stores = database.stores({
    updated: async ({ id: translation }, _units, earlier) => {
      if (away) throw new Error('announcing failed');
      announced.push({ id: translation, earlier });
    },
    deleted: async () => undefined,
  });
  const meter = new OutboxMeter((before, limit) => outboxBacklog(stores, before, limit), 60_000);
  const { id, units } = await storeTranslation(stores, 120);
  const time = Date.now() - 90_000;
  const edits = units.map((unit) =>
    writeUnit(stores, { unit, patch: { target: ['Text'], state: 20 }, changes: [] }, { author: null, time }),
  );
  for (const edit of edits) await expect(edit).rejects.toThrow('announcing failed');
  await meter.measureOnce();
  // A backlog of more than a page counts documents.
  expect(await reportedBacklog()).toEqual({ events: 120, aged: true });
  expect(await stores.units.measureUnprocessed(Date.now(), 50)).toMatchObject({ count: 50 });
  expect(await stores.units.measureUnprocessed(time - 60_000, 50)).toEqual({ count: 0, oldest: undefined });
  away = false;
  await stores.effects.recover(-1);
  // The event has the time of the first edit, not that of the recovery.
  expect(announced.filter((event) => event.id === id)).toEqual([{ id, earlier: time }]);
  await meter.measureOnce();
  expect(await reportedBacklog()).toEqual({ events: 0, aged: false });
});

it('A translation that is marked again keeps the time of its oldest write until the mark is cleared', async () => {
  const stores = database.stores({
    updated: async () => undefined,
    deleted: async () => undefined,
  });
  const marks = stores.announcementMarks;
  const { id } = await storeTranslation(stores, 1);
  const marked = async () => (await marks.listUnannounced(10)).find(({ translation }) => translation.id === id);
  for (const written of [2_000, 1_000, 3_000]) await marks.markUnannounced(id, written);
  expect(await marked()).toMatchObject({ written: 1_000 });
  expect(await marks.measureUnannounced(10)).toEqual({ count: 1, oldest: 1_000 });
  await marks.clearUnannounced(id, 'older mark');
  expect(await marked()).toMatchObject({ written: 1_000 });
  // An older version clears the mark alone.
  const collection = database.models.translations.collection;
  await collection.updateOne({ _id: id } as never, { $unset: { unannounced: '' } });
  await marks.markUnannounced(id, 4_000);
  expect(await marked()).toMatchObject({ written: 4_000 });
  await marks.clearUnannounced(id, (await marked())!.mark);
  expect(await marks.measureUnannounced(10)).toEqual({ count: 0, oldest: undefined });
});
