import { LOST_RACE } from '@parlance/store-kit';
import type { Unit } from '../../domain/unit';
import { KeyedMutex } from '../keyed-mutex';
import { retryLost, updateSerially, updateStored } from './contention';

const unit = (version: number) => ({ id: 1, version }) as Unit;

describe('updateStored', () => {
  beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  it('updateStored reads the unit again after each lost race, but not before the first attempt with a given unit', async () => {
    let version = 1;
    const get = jest.fn(async () => unit(++version));
    const seen: number[] = [];
    const attempt = async (read: Unit) => {
      seen.push(read.version);
      return read.version < 3 ? LOST_RACE : 'saved';
    };
    expect(await updateStored({ units: { get } }, 1, attempt, unit(1))).toBe('saved');
    expect(seen).toEqual([1, 2, 3]);
  });

  it('updateStored returns null for a deleted unit', async () => {
    expect(await updateStored({ units: { get: async () => null } }, 1, async () => 'saved')).toBeNull();
  });
});

describe('updateSerially', () => {
  it('updates of one unit run one after the other and do not compete; those of another unit do not wait', async () => {
    let version = 1;
    const deps = {
      units: { get: async (id: number) => ({ ...unit(version), id }) },
      unitMutex: new KeyedMutex<number>(),
    };
    const seen: [number, number][] = [];
    const attempt = async ({ id, version: read }: Unit) => {
      seen.push([id, read]);
      await Promise.resolve();
      if (id === 1 && read !== version++) return LOST_RACE;
      return 'saved';
    };
    await Promise.all([1, 1, 2, 1].map((id) => updateSerially(deps, id, attempt)));
    expect(seen.filter(([id]) => id === 1)).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
    expect(seen.slice(0, 2).map(([id]) => id)).toEqual([1, 2]);
  });
});

describe('retryLost', () => {
  beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  it('retryLost repeats the attempt for the remaining units until none remain', async () => {
    const asked: number[][] = [];
    await retryLost([1, 2, 3], async (todo) => {
      asked.push([...todo]);
      return todo.slice(1);
    });
    expect(asked).toEqual([[1, 2, 3], [2, 3], [3]]);
  });

  it('retryLost makes no attempt for an empty list', async () => {
    const attempt = jest.fn(async () => []);
    await retryLost([], attempt);
    expect(attempt).not.toHaveBeenCalled();
  });
});
