import { serviceCaller, signCaller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { logger } from '@parlance/telemetry';
import { createClient } from './client/client';
import { serve } from './server';
import type { Implementation } from './types';

const serviceSecret = 'x'.repeat(32);
const as = signCaller(serviceCaller('test'), serviceSecret, 600_000);

/** Level and message of the lines that a failed call writes. */
async function linesOf(failure: Error): Promise<[level: string, message: string][]> {
  const lines: [string, string][] = [];
  for (const level of ['warn', 'error'] as const)
    jest.spyOn(logger, level).mockImplementation(((_data: object, message: string) => {
      lines.push([level, message]);
    }) as typeof logger.warn);
  const fail = () => Promise.reject(failure);
  const implementation: Implementation<'statistics'> = {
    getCounters: fail,
    listLanguageCounters: fail,
    getMetrics: fail,
  };
  const server = await serve({ name: 'statistics', listen: '127.0.0.1:0', serviceSecret, implementation });
  const client = createClient('statistics', `127.0.0.1:${server.port}`);
  await client.getMetrics({}, { as }).catch(() => undefined);
  client.close();
  await server.drain(15_000);
  jest.restoreAllMocks();
  return lines;
}

it('a call that fails by a defect logs an error', async () => {
  expect(await linesOf(new TypeError('not a function'))).toEqual([['error', 'call failed unexpectedly']]);
  expect(await linesOf(new ServiceError('INTERNAL'))).toEqual([['error', 'call failed']]);
});

it('a call that fails by an outage logs a warning', async () => {
  const outage = Object.assign(new Error('no server'), { name: 'MongoServerSelectionError' });
  expect(await linesOf(outage)).toEqual([['warn', 'call failed because of an outage']]);
});

it('a call that fails as its contract says logs no line', async () => {
  expect(await linesOf(new ServiceError('NOT_FOUND'))).toEqual([]);
  expect(await linesOf(new ServiceError('UNAVAILABLE'))).toEqual([]);
});
