import { EventBus, type IncomingEvent } from '@parlance/events';
import { engines, TcpRelay } from '@parlance/testing';
import { randomUUID } from 'node:crypto';
import { writeUnit } from '../../src/app/edit/write-units';
import { count, emptyCounters } from '../../src/domain/counters';
import type { Announcer } from '../../src/domain/ports';
import { EventAnnouncer } from '../../src/clients/event-announcer';
import { sampleTranslation, sampleUnit } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();

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
  const announcer = new EventAnnouncer(bus, stores.translations, []);
  announcer.start();
  const announced: { translated: number; revision: number }[] = [];
  let onEvents: () => unknown = () => undefined;
  const consumer = await bus.consume({
    durable: 'test-announced',
    payloads: ['translationUpdated'],
    handle: async (events: IncomingEvent<'translationUpdated'>[]) => {
      for (const { payload } of events)
        announced.push({ translated: payload.counters!.translated!.strings, revision: payload.revision });
      onEvents();
    },
  });
  try {
    const [id] = await stores.ids.range('translation', 1);
    const counters = emptyCounters();
    const translation = sampleTranslation(id!, { counters });
    const units = (await stores.ids.range('unit', 3)).map((unit) => sampleUnit(translation, unit));
    for (const unit of units) count(counters, unit, 1);
    await stores.translations.insert(translation);
    await stores.units.insert(units);
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
    expect(announced.map((t) => t.translated)).toEqual([1]);

    await relay.stop();
    expect(await edit(1)).toBe(true);
    expect(await edit(2)).toBe(true);
    expect((await stores.translations.get(id!))!.counters.translated.s).toBe(3);
    expect(await stores.translations.listUnannounced(10)).toMatchObject([{ translation: { id } }]);
    await expect(announcer.announceMarked()).rejects.toThrow('does not answer');

    const second = announcementOf(3);
    await relay.restart();
    await second;
    expect(announced.at(-1)!.revision).toBe((await stores.translations.get(id!))!.version);
    await announcer.stop();
    expect(await stores.translations.listUnannounced(10)).toEqual([]);
  } finally {
    await announcer.stop();
    await consumer.stop();
    await bus.close();
    await relay.stop();
  }
});
