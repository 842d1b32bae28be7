import { connectMongo, ensureIndexes } from '@parlance/store-kit';
import { makeIds } from '../../src/store/ids';
import { engines } from '@parlance/testing';
import { randomUUID } from 'node:crypto';
import type { Connection } from 'mongoose';
import { RecentUnits } from '../../src/app/caches/recent-units';
import { UnitEffects, type FollowUps } from '../../src/app/effects/unit-effects';
import { NewContributors, recordCompleted } from '../../src/app/milestones';
import type { Announcer } from '../../src/domain/ports';
import { composeStores } from '../../src/compose-app';
import { makeModels, type Models } from '../../src/store/models';
import { uncached } from './uncached';

/** The stores of one process, with the effects of their writes. */
function storesOf(models: Models, announcer: Announcer, propagate: FollowUps['propagate']) {
  const stores = composeStores(models, uncached);
  const { units, translations, changes } = stores;
  const ids = makeIds(models);
  return {
    ...stores,
    ids,
    recentUnits: new RecentUnits(),
    newContributors: new NewContributors({ changes, ids }),
    effects: new UnitEffects(
      { units, translations, changes, announcer },
      {
        checks: async () => undefined,
        completed: (translation, last) => recordCompleted({ translations, changes, ids }, translation, last),
        propagate,
      },
    ),
  };
}

/** A separate database for the tests of a file. */
export function useDatabase() {
  let connection: Connection;
  let models: Models;
  const effects: UnitEffects[] = [];
  beforeAll(async () => {
    const { mongoUri } = await engines();
    connection = (await connectMongo(mongoUri(`t${randomUUID().slice(0, 8)}`))).connection;
    models = makeModels(connection);
    await ensureIndexes(models);
  });
  afterAll(async () => {
    await Promise.all(effects.map((of) => of.stop()));
    await connection.dropDatabase();
    await connection.close();
  });
  return {
    get models(): Models {
      return models;
    },
    /** The stores of another process on the database. */
    stores(announcer: Announcer, propagate: FollowUps['propagate'] = async () => undefined) {
      const stores = storesOf(models, announcer, propagate);
      effects.push(stores.effects);
      return stores;
    },
  };
}
