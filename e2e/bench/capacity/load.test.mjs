import { scheduleOf, sendWhenDue, summaryOf } from './load.mjs';

const countOf = (schedule, kind) => schedule.filter((each) => each.kind === kind).length;

describe('the schedule of editors', () => {
  it('Each editor makes one action in ten seconds, with one request of each kind', () => {
    let turn = 0;
    const schedule = scheduleOf(7, 30_000, () => (turn++ % 7) / 7);
    for (const kind of ['list', 'string', 'statistics', 'edit']) expect(countOf(schedule, kind)).toBe(21);
  });

  it('Requests are ordered by the time when they are due, and due within the run', () => {
    const schedule = scheduleOf(5, 20_000, Math.random);
    const times = schedule.map(({ due }) => due);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(0);
    expect(times.at(-1)).toBeLessThan(20_000);
  });

  it('The phases of editors spread their requests', () => {
    const phases = [0, 0.25, 0.5, 0.75];
    const lists = scheduleOf(4, 10_000, () => phases.shift() ?? 0).filter(({ kind }) => kind === 'list');
    expect(lists.map(({ due }) => due)).toEqual([0, 2_500, 5_000, 7_500]);
  });

  it('The requests of an action have its number, and no two actions have the same', () => {
    const schedule = scheduleOf(3, 30_000, () => 0.5);
    for (const kind of ['list', 'edit']) {
      const actions = schedule.filter((each) => each.kind === kind).map(({ action }) => action);
      expect(new Set(actions).size).toBe(9);
    }
  });
});

describe('the open loop', () => {
  it('A request is sent while earlier ones are unanswered', async () => {
    const sent = [];
    let answer = () => {};
    const lastSent = new Promise((resolve) => (answer = () => resolve(undefined)));
    const schedule = [1, 2, 3].map((action) => ({ due: action, kind: 'list', action }));
    const outcomes = await sendWhenDue(schedule, async ({ action }) => {
      sent.push(action);
      if (action === 3) answer();
      await lastSent;
      return undefined;
    });
    expect(sent).toEqual([1, 2, 3]);
    expect(outcomes).toHaveLength(3);
  });

  it('The time of a request counts from when it was due, not from its sending', async () => {
    // Due before the start: the client is late.
    const [{ late, ms, at }] = await sendWhenDue([{ due: -500, kind: 'edit', action: 0 }], async () => undefined);
    expect(late).toBeGreaterThanOrEqual(500);
    expect(ms).toBeGreaterThanOrEqual(late);
    expect(at).toBeCloseTo(ms - 500);
  });
});

describe('the summary of a run', () => {
  /** @param {string} [failure] */
  const outcome = (kind, ms, at, failure) => ({ kind, late: 1, ms, at, failure });

  it('Failures are counted by reason and leave the times of the others alone', () => {
    const outcomes = [outcome('list', 10, 100), outcome('edit', 30_000, 900, '503'), outcome('edit', 20, 900, '503')];
    const { failures, percentiles, editP99 } = summaryOf(outcomes, 1_000);
    expect(failures).toEqual({ 503: 2 });
    expect(percentiles).toEqual([10, 10, 10]);
    expect(editP99).toBeUndefined();
  });

  it('Answers after the end of the run do not count as served in it', () => {
    const outcomes = [outcome('list', 10, 500), outcome('list', 20, 1_900), outcome('list', 30, 2_100)];
    expect(summaryOf(outcomes, 2_000).perSecond).toBe(1);
  });
});
