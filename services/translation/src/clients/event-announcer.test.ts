import { EventsUnavailableError, type EventBus } from '@parlance/events';
import { uncached } from '../../test/support/uncached';
import { sampleTranslation } from '../../test/support/samples';
import type { AnnouncementMarks } from '../domain/ports';
import { EventAnnouncer } from './event-announcer';

/** An announcer whose effects are logged in their order. @param isAway whether NATS is away */
function start(isAway = () => false) {
  const effects: string[] = [];
  const bus = {
    publish: async ({ payloadName }: { payloadName: string }) => {
      if (isAway()) throw new EventsUnavailableError('NATS does not answer');
      effects.push(`publish ${payloadName}`);
    },
    onReturn: () => undefined,
  } as unknown as EventBus;
  const translation = sampleTranslation(7);
  let marked = false;
  const marks = {
    markUnannounced: async () => void (marked = true),
    listUnannounced: async () => (marked ? [{ translation, mark: 'one', written: 1 }] : []),
    clearUnannounced: async () => void (marked = false),
  } as unknown as AnnouncementMarks;
  const contents = {
    ...uncached,
    changed: async (places: readonly { project: number; component: number }[]) =>
      void effects.push(
        `change contents ${places.map(({ project, component }) => `${project}/${component}`).join(' ')}`,
      ),
  };
  const announcer = new EventAnnouncer(bus, marks, contents, []);
  return {
    announcer,
    translation,
    effects,
    changed: `change contents ${translation.project}/${translation.component}`,
  };
}

describe('replies about a translation are invalidated', () => {
  it('after its event, which the statistics service must count before it answers', async () => {
    const { announcer, translation, effects, changed } = start();
    await announcer.updated(translation, [1]);
    expect(effects).toEqual(['publish translationUpdated', changed]);
  });

  it('during an outage of NATS, and again when its event is published', async () => {
    let away = true;
    const { announcer, translation, effects, changed } = start(() => away);
    await announcer.updated(translation, [1]);
    expect(effects).toEqual([changed]);
    away = false;
    expect(await announcer.announceMarked()).toBe(1);
    expect(effects).toEqual([changed, 'publish translationUpdated', changed]);
  });
});
