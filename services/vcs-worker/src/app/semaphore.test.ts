import { Semaphore } from './semaphore';

describe('places', () => {
  const here = new AbortController().signal;
  /** Enters and notes it. */
  const noting = (places: Semaphore, noted: string[], name: string, signal = here) =>
    places.enter(signal).then((leave) => {
      noted.push(name);
      return leave;
    });

  it('are given in the order of asking, and each goes to one', async () => {
    const places = new Semaphore(1);
    const noted: string[] = [];
    const leave = await noting(places, noted, 'first');
    const second = noting(places, noted, 'second');
    const third = noting(places, noted, 'third');
    leave();
    leave();
    const leaveSecond = await second;
    expect(noted).toEqual(['first', 'second']);
    leaveSecond();
    (await third)();
    expect(noted).toEqual(['first', 'second', 'third']);
    (await noting(places, noted, 'fourth'))();
  });

  it('pass over those who went away', async () => {
    const places = new Semaphore(1);
    const leave = await places.enter(here);
    const going = new AbortController();
    const second = places.enter(going.signal);
    const third = places.enter(here);
    going.abort();
    await expect(second).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await expect(places.enter(going.signal)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    leave();
    (await third)();
  });

  it('send away whom they cannot serve in time', async () => {
    const places = new Semaphore(1);
    const leave = await places.enter(here);
    const waiting = Array.from({ length: 8 }, () => places.enter(here));
    await expect(places.enter(here)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    leave();
    for (const place of waiting) (await place)();
  });
});
