import { ReplayableRequests } from './replayable-requests';

async function* numbers(count: number, closed = jest.fn()) {
  try {
    for (let n = 1; n <= count; n++) yield { n };
  } finally {
    closed();
  }
}
async function all(requests: AsyncIterable<object>): Promise<number[]> {
  const found: number[] = [];
  for await (const message of requests) found.push((message as { n: number }).n);
  return found;
}

describe('ReplayableRequests', () => {
  it('a second reading has all messages, also if the first one stopped early', async () => {
    const requests = new ReplayableRequests(numbers(3));
    for await (const message of requests.read()) {
      expect(message).toEqual({ n: 1 });
      break;
    }
    expect(await all(requests.read())).toEqual([1, 2, 3]);
    expect(await all(requests.read())).toEqual([1, 2, 3]);
  });

  it('a message for which an ended reading waits is the next one of the new reading', async () => {
    let arrive = (): void => undefined;
    async function* late() {
      yield { n: 1 };
      await new Promise<void>((resolve) => (arrive = resolve));
      yield { n: 2 };
    }
    const requests = new ReplayableRequests(late());
    const first = all(requests.read());
    await new Promise(setImmediate);
    const second = all(requests.read());
    await new Promise(setImmediate);
    arrive();
    expect(await first).toEqual([1]);
    expect(await second).toEqual([1, 2]);
  });

  it('many messages are not kept', async () => {
    const requests = new ReplayableRequests(numbers(1_000));
    expect(requests.isReplayable).toBe(true);
    expect(await all(requests.read())).toHaveLength(1_000);
    expect(requests.isReplayable).toBe(false);
  });

  it('close releases the source', async () => {
    const closed = jest.fn();
    const requests = new ReplayableRequests(numbers(3, closed));
    for await (const _ of requests.read()) break;
    expect(closed).not.toHaveBeenCalled();
    await requests.close();
    expect(closed).toHaveBeenCalled();
  });
});
