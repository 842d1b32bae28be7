import { mapInSlices } from './slices';

const busy = (ms: number): void => {
  for (const until = performance.now() + ms; performance.now() < until;);
};

it('Other work runs between slices of a long loop', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const doubled = await mapInSlices(
    Array.from({ length: 100 }, (_, i) => i),
    (i) => {
      busy(2);
      return i * 2;
    },
  );
  clearInterval(timer);
  expect(doubled[99]).toBe(198);
  expect(turns).toBeGreaterThan(5);
});

it('An aborted loop ends with the reason of its signal', async () => {
  const control = new AbortController();
  let seen = 0;
  const loop = mapInSlices(
    Array.from({ length: 1_000 }),
    () => {
      busy(2);
      if (++seen === 10) control.abort(new Error('client left'));
    },
    control.signal,
  );
  await expect(loop).rejects.toThrow('client left');
  expect(seen).toBeLessThan(100);
});
