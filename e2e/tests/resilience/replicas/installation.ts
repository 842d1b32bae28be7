// Two replicas of every process. Whatever one of them keeps in memory must be right when another one writes: requests alternate between the
// gateways and calls between the replicas of a service, so a stale cache shows within a few rounds.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../../deploy/engines/ready.mjs';
import { makeApi } from '../../../support/api.mjs';
import { checkedExchange } from '../../../support/checked-exchange.mjs';
import { makeRemote } from '../../../support/remotes.mjs';
import { importExample, parlanceOn, startSystem } from '../../../support/system.mjs';

/** Requests of an anonymous client in an hour. */
export const ANONYMOUS = 20;
/** Repetitions of a change: more than the pairs of a gateway and a replica. */
export const ROUNDS = 6;
export const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-replicas-'));
export const remote = makeRemote();
/** Client of the administrator, and the component of all tests; set by `start`. */
export let api: ReturnType<typeof makeApi>;
export let world: Awaited<ReturnType<typeof importExample>>;
let system: Awaited<ReturnType<typeof startSystem>> | undefined;

export interface Unit {
  id: number;
  source: string[];
  source_unit: string;
  state: number;
  target: string[];
  has_failing_check: boolean;
}

export async function start(): Promise<void> {
  const port = await freePort();
  system = await startSystem({
    dataDir,
    port,
    replicas: '2',
    env: {
      PARLANCE_RATE_LIMIT_AUTHENTICATED: '1000000/hour',
      PARLANCE_RATE_LIMIT_ANONYMOUS: `${ANONYMOUS}/hour`,
      PARLANCE_RATE_LIMIT_EXPORTS: 'off',
      PARLANCE_RATE_LIMIT_EXPORTS_OBJECT: 'off',
    },
  });
  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
  api = makeApi(`http://localhost:${port}`, token, checkedExchange);
  world = await importExample(api, remote);
}

export const stop = () => system?.stop();

/** A string without plurals. */
export const single = async (): Promise<Unit> =>
  (await api.get(`${world.path}/units/?q=${encodeURIComponent('NOT has:plural')}`)).results[0];

/** Reads through one gateway and then through the other. */
export const throughBoth = async <T>(read: () => Promise<T>): Promise<[T, T]> => [await read(), await read()];

/** Creates, confirms and removes second factors as their owner. @param username of a user without a password */
export async function ownerOfFactors(username: string) {
  const password = parlanceOn(dataDir, 'user', 'reset-password', username);
  const { token } = await api.post(`/api/users/${username}/tokens/`, { name: 'second factors' });
  const client = makeApi(api.base, token, checkedExchange);
  const factors = `/api/users/${username}/second-factors/`;
  return {
    factors,
    async create(): Promise<{ factor: string; secret: string }> {
      const { id, secret } = await client.post(factors, { name: 'phone', password });
      return { factor: `${factors}${id}/`, secret };
    },
    /** @returns the status */
    confirm: async (factor: string, code: string): Promise<number> =>
      (await client.send('POST', `${factor}confirm/`, { code })).status,
    async remove(factor: string): Promise<void> {
      expect((await client.send('DELETE', factor, { password })).status).toBe(204);
    },
  };
}
