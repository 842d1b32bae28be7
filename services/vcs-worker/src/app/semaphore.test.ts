import { Semaphore } from './semaphore';

describe('Semaphore', () => {
  const here = new AbortController().signal;
  /** Enters the semaphore and records it. */
  const enterAs = (semaphore: Semaphore, noted: string[], name: string, signal = here) =>
    semaphore.acquire(signal).then((leave) => {
      noted.push(name);
      return leave;
    });

  it('a semaphore admits waiters in FIFO order, one for each release', async () => {
    const semaphore = new Semaphore(1);
    const noted: string[] = [];
    const leave = await enterAs(semaphore, noted, 'first');
    const second = enterAs(semaphore, noted, 'second');
    const third = enterAs(semaphore, noted, 'third');
    leave();
    leave();
    const leaveSecond = await second;
    expect(noted).toEqual(['first', 'second']);
    leaveSecond();
    (await third)();
    expect(noted).toEqual(['first', 'second', 'third']);
    (await enterAs(semaphore, noted, 'fourth'))();
  });

  it('a semaphore skips waiters that were cancelled', async () => {
    const semaphore = new Semaphore(1);
    const leave = await semaphore.acquire(here);
    const going = new AbortController();
    const second = semaphore.acquire(going.signal);
    const third = semaphore.acquire(here);
    going.abort();
    await expect(second).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await expect(semaphore.acquire(going.signal)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    leave();
    (await third)();
  });

  it('a semaphore rejects waiters beyond its queue limit', async () => {
    const semaphore = new Semaphore(1);
    const leave = await semaphore.acquire(here);
    const waiting = Array.from({ length: 8 }, () => semaphore.acquire(here));
    await expect(semaphore.acquire(here)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    leave();
    for (const permit of waiting) (await permit)();
  });
});
