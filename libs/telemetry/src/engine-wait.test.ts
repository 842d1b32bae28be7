import { EngineUnavailableError, EngineWait } from './engine-wait';
import { Readiness } from './operations';

it('a process waits until its engines accept it, and says why', async () => {
  jest.useFakeTimers();
  try {
    let accepts = false;
    const engines = new EngineWait({
      mongo: async () => {
        if (!accepts) throw new EngineUnavailableError('MongoDB rejects the credentials', new Error('user: secret'));
      },
      nats: async () => undefined,
    });
    const readiness = new Readiness(engines.checks, { starting: true });
    const waited = engines.untilAvailable();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await readiness.state()).toEqual({
      ready: false,
      parts: { mongo: 'down', nats: 'up', starting: 'down' },
      problems: { mongo: 'MongoDB rejects the credentials', starting: 'the process is starting' },
    });
    accepts = true;
    await jest.advanceTimersByTimeAsync(1_000);
    await waited;
    readiness.started({ mongo: () => true });
    expect(await readiness.state()).toEqual({ ready: true, parts: { mongo: 'up' } });
  } finally {
    jest.useRealTimers();
  }
});

it('a start that was ended by a signal stays unready', async () => {
  const readiness = new Readiness({}, { starting: true });
  readiness.drain();
  readiness.started({});
  expect((await readiness.state()).parts).toEqual({ draining: 'down' });
});

it('waiting ends with every other error, such as an invalid address', async () => {
  const engines = new EngineWait({ mongo: () => Promise.reject(new TypeError('no address')) });
  await expect(engines.untilAvailable()).rejects.toThrow('no address');
});
