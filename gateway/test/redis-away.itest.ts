import type { Caller } from '@parlance/access';
import type { RunningServer } from '@parlance/grpc-kit';
import { engines, TcpRelay } from '@parlance/testing';
import { randomInt } from 'node:crypto';
import { compose, type Gateway } from '../src/compose';
import { readConfig } from '../src/config';
import { identityStandIn, person } from './support/identity';

const SECRET = 'a secret that only this test knows 32+';
const tokens = new Map<string, Caller>();
let identity: RunningServer;
let gateway: Gateway;
let relay: TcpRelay;

beforeAll(async () => {
  relay = await TcpRelay.start((await engines()).redisUrl);
  identity = await identityStandIn(SECRET, tokens, {});
  const others = ['CATALOG', 'TRANSLATION', 'VCS_WORKER', 'MEDIA', 'STATISTICS', 'HOOKS'];
  gateway = await compose(
    readConfig({
      REDIS_URL: relay.url,
      PARLANCE_SERVICE_SECRET: SECRET,
      IDENTITY_ADDRESS: `127.0.0.1:${identity.port}`,
      ...Object.fromEntries(others.map((name) => [`${name}_ADDRESS`, '127.0.0.1:1'])),
      PARLANCE_RATE_LIMIT_AUTHENTICATED: '3/hour',
      GATEWAY_LISTEN: '127.0.0.1:0',
    }),
  );
});

afterAll(async () => {
  await gateway.drain(15_000);
  await gateway.close();
  await identity.drain(15_000);
  await relay.stop();
});

it.each(['hangs', 'is down'])(
  'requests are served without limits while Redis %s, and are counted again afterwards',
  async (how) => {
    const user = person(randomInt(1_000_000, 2_000_000_000));
    const token = `plu_${user.userId}`;
    tokens.set(token, user);
    const call = async () => {
      const response = await fetch(`http://127.0.0.1:${gateway.port}/api/`, {
        headers: { Authorization: `Token ${token}` },
      });
      return { status: response.status, left: response.headers.get('x-ratelimit-remaining') };
    };
    const counted = async () => {
      const until = Date.now() + 120_000;
      let answer = await call();
      while (answer.left === '3' && Date.now() < until) answer = await call();
      return answer;
    };
    // The gateway may not be connected yet.
    expect(await counted()).toEqual({ status: 200, left: '2' });

    if (how === 'hangs') relay.hang();
    else await relay.stop();
    for (let i = 0; i < 6; i++) expect(await call()).toEqual({ status: 200, left: '3' });
    if (how === 'hangs') relay.resume();
    else await relay.restart();

    // The request that detects the outage is counted late; later ones were not counted.
    expect(await counted()).toEqual({ status: 200, left: how === 'hangs' ? '0' : '1' });
  },
);
