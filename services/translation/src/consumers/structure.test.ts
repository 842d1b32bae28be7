import type { IncomingEvent } from '@parlance/events';
import { StringsWorld } from '../../test/support/memory/world';
import { structureChanged, type StructureDeps } from './structure';

function start() {
  const world = new StringsWorld();
  world.component(1);
  const effects: string[] = [];
  const markRerun = world.translations.markRerun.bind(world.translations);
  world.translations.markRerun = async (of) => {
    effects.push(`mark ${JSON.stringify(of)}`);
    await markRerun(of);
  };
  const deps: StructureDeps = {
    ...world.deps,
    catalog: { forget: (id) => void effects.push(`forget ${id}`), forgetAll: () => void effects.push('forget all') },
    catalogGeneration: { replace: async () => void effects.push('replace generation') },
    fencingTokens: { removeOfComponent: async () => undefined },
    contextChecks: { ...world.deps.contextChecks, scheduleRecheck: () => void effects.push('schedule') },
  };
  const receive = async (payload: object) => {
    await structureChanged(deps)([{ payload } as IncomingEvent<'projectUpdated' | 'componentUpdated'>]);
    return effects;
  };
  return { receive };
}

describe('changed settings', () => {
  it.each([
    ['a project', { projectId: 1, changed: ['check_flags'] }, 'forget all', 'mark {"project":1}'],
    ['a component', { projectId: 1, componentId: 1, changed: ['check_flags'] }, 'forget 1', 'mark {"component":1}'],
  ])('of %s invalidate the settings that other processes cache before strings are checked again', async (...row) => {
    const [, payload, forget, mark] = row;
    expect(await start().receive(payload)).toEqual([forget, 'replace generation', mark, 'schedule']);
  });

  it('that no check depends on have no effect on checks', async () => {
    expect(await start().receive({ projectId: 1, changed: ['name'] })).toEqual([]);
    expect(await start().receive({ projectId: 1, componentId: 1, changed: ['name'] })).toEqual(['forget 1']);
  });
});
