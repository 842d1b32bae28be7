/** Strings, words and characters. */
export interface Tally {
  s: number;
  w: number;
  c: number;
}

/** The groups that strings are counted in. */
export const groups = [
  'all',
  'translated',
  'fuzzy',
  'approved',
  'readonly',
  'failing',
  'suggestions',
  'comments',
] as const;
export type Group = (typeof groups)[number];

/** Denormalized counters of one translation. */
export type CounterGroups = Record<Group, Tally>;

export interface Counters extends CounterGroups {
  /** Number of failing and dismissed checks. */
  checks: number;
  contentChanges: number;
  /** Milliseconds since the epoch; 0: none. */
  lastChange: number;
  lastAuthor: string;
  lastAuthorId: number;
}

/** Whether there are strings, and all of them are translated. */
export function isComplete({ all, translated }: CounterGroups): boolean {
  return all.s > 0 && translated.s === all.s;
}

/** Fields of a unit that the counters depend on. */
export interface Countable {
  state: number;
  words: number;
  chars: number;
  checks?: readonly string[];
  dismissedChecks?: readonly string[];
  suggestions?: number;
  comments?: number;
}

export function emptyCounters(): Counters {
  const tally = () => ({ s: 0, w: 0, c: 0 });
  return {
    all: tally(),
    translated: tally(),
    fuzzy: tally(),
    approved: tally(),
    readonly: tally(),
    failing: tally(),
    suggestions: tally(),
    comments: tally(),
    checks: 0,
    contentChanges: 0,
    lastChange: 0,
    lastAuthor: '',
    lastAuthorId: 0,
  };
}

/** Groups of a unit. Read-only strings count as translated, as in all statistics of the API. */
function groupsOf(unit: Countable): Group[] {
  const found: Group[] = ['all'];
  if (unit.state >= 20) found.push('translated');
  if (unit.state === 10) found.push('fuzzy');
  if (unit.state === 30) found.push('approved');
  if (unit.state === 100) found.push('readonly');
  if (unit.checks && unit.checks.length > 0) found.push('failing');
  if (unit.suggestions) found.push('suggestions');
  if (unit.comments) found.push('comments');
  return found;
}

/** Adds (sign 1) or subtracts (sign -1) a unit. */
export function count(counters: Counters, unit: Countable, sign: 1 | -1): void {
  for (const group of groupsOf(unit)) {
    const tally = counters[group];
    tally.s += sign;
    tally.w += sign * unit.words;
    tally.c += sign * unit.chars;
  }
  counters.checks += sign * ((unit.checks?.length ?? 0) + (unit.dismissedChecks?.length ?? 0));
}

/** Change of the counters by a write. Only changed groups are present. */
export interface CounterDelta {
  groups: Partial<CounterGroups>;
  checks: number;
  contentChanges: number;
}

export function deltaBetween(before: Countable | null, after: Countable | null, contentChanges: number): CounterDelta {
  const moved = emptyCounters();
  if (before) count(moved, before, -1);
  if (after) count(moved, after, 1);
  const changed: Partial<CounterGroups> = {};
  for (const group of groups) {
    const tally = moved[group];
    if (tally.s !== 0 || tally.w !== 0 || tally.c !== 0) changed[group] = tally;
  }
  return { groups: changed, checks: moved.checks, contentChanges };
}

/** Sums deltas, so that concurrent writes cost one update. */
export function addDelta(into: CounterDelta, other: CounterDelta): void {
  for (const group of groups) {
    const tally = other.groups[group];
    if (!tally) continue;
    const sum = (into.groups[group] ??= { s: 0, w: 0, c: 0 });
    sum.s += tally.s;
    sum.w += tally.w;
    sum.c += tally.c;
  }
  into.checks += other.checks;
  into.contentChanges += other.contentChanges;
}
