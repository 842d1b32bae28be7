// The engines that the product starts require credentials, which are stored in their data directory only.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/api.mjs';
import {
  engines,
  makeOldEngines,
  natsTakes,
  redisTakes,
  removeEngines,
  stateOf,
  strangers,
  withMongo,
} from '../../support/installations/engines.mjs';
import { system } from '../../support/system.mjs';

const { api, dataDir } = system();

type Mongo = Parameters<Parameters<typeof withMongo>[1]>[0];

const refused = {
  mongo: expect.stringMatching(/requires authentication/i),
  nats: expect.stringContaining("-ERR 'Authorization Violation'"),
  redis: expect.stringContaining('-NOAUTH'),
  minio: 403,
};

describe('the engines of a data directory', () => {
  it('engines reject clients without credentials while the system works', async () => {
    expect(await strangers(stateOf(dataDir).ports)).toEqual(refused);
    expect((await api.get('/api/users/')).count).toBeGreaterThan(0);
  });

  it('credentials of engines are readable by their owner only and absent from command lines and logs', async () => {
    const { passwords, s3 } = stateOf(dataDir);
    const secrets: string[] = [...Object.values<string>(passwords), s3.secretKey];
    expect(new Set(secrets).size).toBe(4);
    expect(statSync(join(dataDir, 'engines.json')).mode & 0o777).toBe(0o600);
    const commandLines = execFileSync('ps', ['-eww', '-o', 'args='], { encoding: 'utf8' });
    const log = join(dataDir, 'log');
    const logs = readdirSync(log).map((name) => readFileSync(join(log, name), 'utf8'));
    expect(logs.join('').length).toBeGreaterThan(0);
    for (const text of [commandLines, ...logs]) expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('engines of a version without passwords get passwords and keep their data', async () => {
    const old = makeOldEngines();
    try {
      const open = `mongodb://127.0.0.1:${old.ports['mongo']}/`;
      const insert = (client: Mongo) => client.db('kept').collection('c').insertOne({ text: 'still here' });
      await eventually(
        () => withMongo(open, insert),
        (answer: unknown) => typeof answer === 'object',
      );
      const environment = engines('up', old.dataDir);
      const state = stateOf(old.dataDir);
      const { ports, passwords } = state;
      expect(await strangers(ports)).toEqual(refused);
      const find = (client: Mongo) => client.db('kept').collection('c').findOne({});
      expect(await withMongo(environment['MONGODB_URI']!, find)).toMatchObject({ text: 'still here' });
      expect([await natsTakes(ports.nats, passwords.nats), await natsTakes(ports.nats, 'wrong')]).toEqual([
        true,
        false,
      ]);
      expect([await redisTakes(ports.redis, passwords.redis), await redisTakes(ports.redis, 'x')]).toEqual([
        true,
        false,
      ]);
      // A second start reuses the containers and passwords.
      engines('up', old.dataDir);
      expect(stateOf(old.dataDir)).toEqual(state);
    } finally {
      removeEngines(old.dataDir);
    }
  });
});
