import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { CallContext } from '@parlance/grpc-kit';
import { changeOf } from '../../app/history';
import type { LookUpRequest } from '../../app/memory/entries';
import { reasonOf, StringsWorld } from '../../../test/support/memory/world';
import { makeContextHandlers } from './context-handlers';

function start() {
  const world = new StringsWorld();
  world.component(1);
  world.component(2, { restricted: true });
  world.string(1, 7, 'Open file');
  world.string(2, 8, 'Close file');
  const asked: LookUpRequest[] = [];
  const state = { permitted: true, historyReads: 0 };
  const { getUnitContext } = makeContextHandlers({
    ...world.deps,
    history: {
      ...world.deps,
      changesConsumer: {
        readCaughtUp: async (_within, read) => {
          state.historyReads++;
          return read();
        },
      },
    },
    lookUpMemory: async (_context, query) => {
      asked.push(query);
      if (!state.permitted) throw new ServiceError('PERMISSION_DENIED');
      return { matches: [{ similarity: 90 }] };
    },
  });
  const context = (unitId: number, parts = { historySize: 2, memoryLimit: 10, memoryThreshold: 70 }) => {
    const call: Partial<CallContext> = { caller: world.user(3, []) as Caller, catalogGeneration: 'g' };
    return getUnitContext({ unitId, ...parts }, call as CallContext);
  };
  return { world, asked, state, context };
}

describe('the context of a string', () => {
  it('the context of a string contains its newest history entries with their translations, and their number', async () => {
    const { world, context } = start();
    const unit = (await world.units.get(7))!;
    const entries = [1, 2, 3].map((time) => ({
      ...changeOf(unit, { userId: 3 }, time, 2, `Text ${time}`, '', {}),
      id: time,
      time,
    }));
    await world.deps.changes.insert(entries);
    const { history } = await context(7);
    expect(history).toMatchObject({ changes: [{ target: 'Text 3' }, { target: 'Text 2' }], total: 3 });
    expect(history?.translations).toMatchObject([{ id: unit.translation }]);
  });

  it('the context of a string contains similar texts of the memory in the languages of the string', async () => {
    const { asked, context } = start();
    expect((await context(7)).memory).toEqual({ matches: [{ similarity: 90 }] });
    const languages = { sourceLanguage: 'en', targetLanguage: 'cs' };
    expect(asked).toMatchObject([{ source: 'Open file', ...languages, threshold: 70, limit: 10 }]);
  });

  it('a source string has no similar texts', async () => {
    const { asked, context } = start();
    expect((await context(507)).memory).toEqual({ matches: [] });
    expect(asked).toEqual([]);
  });

  it('the context of a string has no memory for a caller who may not look it up', async () => {
    const { state, context } = start();
    state.permitted = false;
    expect((await context(7)).memory).toBeNull();
  });

  it('history and memory are left out unless they are requested', async () => {
    const { asked, state, context } = start();
    const none = { historySize: 0, memoryLimit: 0, memoryThreshold: 0 };
    expect(await context(7, none)).toMatchObject({ unit: { id: 7 }, history: null, memory: null });
    expect([asked, state.historyReads]).toEqual([[], 0]);
  });

  it('a string that the caller does not see does not exist, and sizes have limits', async () => {
    const { context } = start();
    expect(await reasonOf(context(8))).toBe('NOT_FOUND');
    const parts = { historySize: 2, memoryLimit: 10, memoryThreshold: 70 };
    expect(await reasonOf(context(7, { ...parts, historySize: 101 }))).toBe('INVALID');
    expect(await reasonOf(context(7, { ...parts, memoryLimit: 101 }))).toBe('INVALID');
  });
});
