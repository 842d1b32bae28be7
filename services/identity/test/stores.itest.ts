import { connectMongo, ensureIndexes } from '@parlance/store-kit';
import { engines } from '@parlance/testing';
import type { Connection } from 'mongoose';
import { MongoAttemptStore } from '../src/store/attempt-store';
import { MongoAuditStore } from '../src/store/audit-store';
import { MongoGroupStore } from '../src/store/group-store';
import { makeIds } from '../src/store/ids';
import { PendingAnnouncementsStore } from '../src/store/announcements/pending-announcements-store';
import { MongoMailStore } from '../src/store/mail-store';
import { makeModels } from '../src/store/models';
import { MongoProgressStore } from '../src/store/progress-store';
import { MongoRoleStore } from '../src/store/role-store';
import { MongoUserStore } from '../src/store/user-store';
import { MongoWebCredentialStore } from '../src/store/web-credential-store';
import { WriteAnnouncer } from '../src/store/announcements/write-announcer';
import { storeContract } from './support/store-contract';

describe('the stores on Mongo', () => {
  let connection: Connection;

  storeContract(async () => {
    const { mongoUri } = await engines();
    connection = (await connectMongo(mongoUri('stores'), { autoIndex: false })).connection;
    await ensureIndexes(makeModels(connection));
    const ids = makeIds(connection);
    const audit = new MongoAuditStore(connection, ids);
    const published = { publish: () => Promise.resolve(1) };
    const announcer = new WriteAnnouncer(published, new PendingAnnouncementsStore(connection), audit, () =>
      Promise.resolve(),
    );
    const users = new MongoUserStore(connection, ids, announcer, () => Promise.resolve());
    const groups = new MongoGroupStore(connection, ids, announcer);
    const roles = new MongoRoleStore(connection, ids, announcer);
    const mails = new MongoMailStore(connection, ids);
    const webCredentials = new MongoWebCredentialStore(connection, ids, () => Promise.resolve());
    const attempts = new MongoAttemptStore(connection);
    return {
      users,
      groups,
      roles,
      audit,
      mails,
      webCredentials,
      attempts,
      progress: new MongoProgressStore(connection),
    };
  });

  afterAll(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  it('queries of every request use indexes', async () => {
    const explain = async (filter: object) =>
      JSON.stringify(await connection.collection('users').find(filter).explain('queryPlanner'));
    expect(await explain({ 'tokens.hash': 'x' })).toContain('token_hash');
    expect(await explain({ usernameFolded: 'x' })).toContain('username_unique');
  });
});
