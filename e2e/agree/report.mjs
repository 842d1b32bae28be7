// Collects comparisons, classifies them as equal, accepted or failed, and prints them by area.
import { AsyncLocalStorage } from 'node:async_hooks';
import { compare, normalise } from './compare.mjs';

const short = (value) => {
  const text = value === undefined ? 'absent' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
};

const ZERO = { total: 0, equal: 0, accepted: 0, failed: 0 };

/** Numbers of several parts together, by area. */
export function sumAreas(parts) {
  const sums = {};
  for (const areas of Object.values(parts))
    for (const [area, numbers] of Object.entries(areas)) {
      sums[area] ??= { ...ZERO };
      for (const key of Object.keys(ZERO)) sums[area][key] += numbers[key];
    }
  return sums;
}

export class Report {
  /** The part of the run that a comparison belongs to; several parts add to areas such as history. */
  #part = new AsyncLocalStorage();
  #parts = {};
  #failures = [];
  #used = new Map();
  #notes = new Map();
  #accepted;
  answers = 0;
  records = [];

  /** @param accepted rules `{area, step?, path, reason, ours?}`; `area` may be a list; `path` and `step` are regular expressions */
  constructor(accepted) {
    this.#accepted = accepted;
  }

  /** Counts a comparison made outside of `answer`. */
  count(area, step, { path, ours, theirs, equal }) {
    const sums = ((this.#parts[this.#part.getStore()] ??= {})[area] ??= { ...ZERO });
    sums.total++;
    if (equal) {
      sums.equal++;
      return;
    }
    const rule = this.#accepted.find(
      (r) =>
        (r.area === '*' || [r.area].flat().includes(area)) &&
        r.path.test(path) &&
        (!r.step || r.step.test(step)) &&
        (!r.when || r.when(ours, theirs)),
    );
    this.#note(area, step, rule?.what ?? `unexplained: ${path}`);
    if (rule) {
      sums.accepted++;
      this.#used.set(rule, (this.#used.get(rule) ?? 0) + 1);
    } else {
      sums.failed++;
      this.#failures.push({ area, step, path, ours, theirs });
    }
  }

  /** Collects the descriptions of accepted differences by step. */
  #note(area, step, what) {
    const key = `${area} | ${step}`;
    if (!this.#notes.has(key)) this.#notes.set(key, new Set());
    this.#notes.get(key).add(what);
  }

  /** Differences of a step across several areas. */
  notes(areas, step) {
    return [...new Set(areas.flatMap((area) => [...(this.#notes.get(`${area} | ${step}`) ?? [])]))];
  }

  /** Runs a part of the comparison under its name. */
  inPart(name, run) {
    return this.#part.run(name, run);
  }

  /** Numbers of comparisons by part and area. */
  get parts() {
    return this.#parts;
  }

  /** Records both responses of a step for tables of results. */
  record(area, step, answers) {
    this.records.push({ area, step, answers });
  }

  /**
   * Compares status, selected headers and body of two responses.
   * @param sortBy key of the objects of a list whose order nothing defines
   */
  answer(area, step, ours, theirs, { headers = [], bodies = true, sortBy = '' } = {}) {
    this.answers++;
    this.count(area, step, {
      path: 'status',
      ours: ours.status,
      theirs: theirs.status,
      equal: ours.status === theirs.status,
    });
    for (const name of headers) {
      const [a, b] = [ours, theirs].map((answer) => normalise(answer.headers.get(name), answer.base));
      this.count(area, step, { path: `header ${name}`, ours: a, theirs: b, equal: a === b });
    }
    if (!bodies || ours.status !== theirs.status) return;
    const [a, b] = [ours, theirs].map((answer) => normalise(errorShape(sorted(answer.body, sortBy)), answer.base));
    for (const item of compare(a, b)) this.count(area, step, item);
  }

  /** Prints the unaccepted differences of steps whose name starts with `name`. */
  explain(name) {
    for (const { area, step, path, ours, theirs } of this.#failures)
      if (step.startsWith(name)) console.log(`    ${area}: ${step}: ${path}: ${short(ours)} ${short(theirs)}`);
  }

  get failed() {
    return this.#failures.length;
  }

  /** @param examples number of examples for each kind of difference */
  print(examples = 6) {
    const rows = Object.entries(sumAreas(this.#parts)).map(([area, s]) => ({
      area,
      ...s,
      agreement: `${((100 * (s.equal + s.accepted)) / s.total).toFixed(1)} %`,
    }));
    console.table(rows);
    const kinds = new Map();
    for (const f of this.#failures) {
      const key = `${f.area} | ${f.path}`;
      const kind = kinds.get(key) ?? { count: 0, examples: [] };
      kinds.set(key, kind);
      kind.count++;
      if (kind.examples.length < examples)
        kind.examples.push(`    ${f.step}\n      ours   ${short(f.ours)}\n      theirs ${short(f.theirs)}`);
    }
    for (const [key, { count, examples: shown }] of [...kinds].sort((x, y) => y[1].count - x[1].count))
      console.log(`${count} x ${key}\n${shown.join('\n')}`);
    for (const [rule, count] of [...this.#used].sort(([, x], [, y]) => y - x))
      console.log(`accepted ${count} x ${rule.area}: ${rule.what}`);
    for (const rule of this.#accepted)
      if (!this.#used.has(rule)) console.log(`unused rule: ${rule.area} ${rule.step ?? ''} ${rule.path}`);
    const total = rows.reduce((n, r) => n + r.total, 0);
    console.log(`${this.answers} answers, ${total} comparisons, ${this.failed} differences that no rule accepts`);
  }
}

/** Errors are compared by code and field; the wording may differ. */
function errorShape(body) {
  if (body === null || typeof body !== 'object' || !Array.isArray(body.errors)) return body;
  const errors = body.errors
    .map(({ code, attr }) => ({ code, attr }))
    .sort((a, b) => `${a.attr} ${a.code}`.localeCompare(`${b.attr} ${b.code}`));
  return { type: body.type, errors };
}

const sorted = (body, key) =>
  key && Array.isArray(body) ? body.toSorted((a, b) => `${a[key]}`.localeCompare(`${b[key]}`)) : body;
