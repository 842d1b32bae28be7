import { randomBytes } from 'node:crypto';
import { contentActions, type Change } from '../../domain/change';
import { deltaBetween, type CounterDelta } from '../../domain/counters';
import type {
  Ids,
  LastChange,
  OutboxItem,
  Propagation,
  UnitInserter,
  UnitPatch,
  UnitWrite,
  UnitWriter,
} from '../../domain/ports';
import { isBlank, type Author, type Unit } from '../../domain/unit';
import type { RecentUnits } from '../caches/recent-units';
import { lastChangeBy, numberChanges, type ChangeDraft } from '../history';
import type { NewContributors } from '../milestones';
import type { UnitEffects } from '../effects/unit-effects';

export interface WriteUnitsDeps {
  units: UnitWriter;
  effects: Pick<UnitEffects, 'settle' | 'settleMany'>;
  ids: Ids;
  newContributors: Pick<NewContributors, 'record'>;
  /** Follows the writes, so that the next edit of a unit on top of its entry does not lose a race against this process. */
  recentUnits: RecentUnits;
}

export interface InsertUnitsDeps extends Omit<WriteUnitsDeps, 'units' | 'recentUnits'> {
  units: Pick<UnitInserter, 'addMany'>;
}

/** An update of a unit as it was read, with its history entries. */
export interface UnitUpdate {
  unit: Unit;
  patch: UnitPatch;
  changes: ChangeDraft[];
  /** The edit propagates to other strings; completed by the `finish` of the write, or by recovery. */
  propagation?: Propagation;
}

/** Author and time (milliseconds since the epoch) of writes. Without an author the translation keeps its last one. */
export interface WriteOrigin {
  author: Author | null;
  time: number;
  /** The write makes its author a contributor of the translation. */
  contributes?: boolean;
}

/** Writes in one portion; bounds the recovery work after a crash. */
const PORTION = 1_000;

/**
 * Writes a unit and carries out the effects: history, counters, event.
 * @param finish a last effect that needs the write; the outbox keeps the item until it succeeds
 * @returns false when another writer changed the unit first; then the write has no effect
 */
export async function writeUnit(
  deps: WriteUnitsDeps,
  update: UnitUpdate,
  by: WriteOrigin,
  finish?: () => Promise<void>,
): Promise<boolean> {
  const write = toUnitWrite(update, await numberChanges(deps, update.changes), by.time);
  if (!(await deps.units.write(write))) return false;
  deps.recentUnits.update(writtenUnit(update));
  await deps.effects.settle(write.unit, write.outbox, lastChange(update.changes, by), finish);
  if (by.contributes) deps.newContributors.record(update.changes);
  return true;
}

/**
 * Removes a unit with its history entry and carries out the effects. Pending effects of earlier writes still count, so the counters
 * stay exact.
 * @returns false when another writer changed or removed the unit first; then the removal has no effect
 */
export async function removeUnit(
  deps: WriteUnitsDeps,
  { unit, change }: { unit: Unit; change: ChangeDraft },
  by: WriteOrigin,
): Promise<boolean> {
  const changes = await numberChanges(deps, [change]);
  const outbox = outboxItem(unit, deltaBetween(unit, null, contentIn(changes)), changes, by.time);
  if (!(await deps.units.write({ unit: unit.id, version: unit.version, outbox }))) return false;
  await deps.effects.settle(unit.id, outbox, lastChange([change], by));
  return true;
}

/**
 * Writes many units of one translation and carries out the effects.
 * @returns the updates that were written, and those that lost their race
 */
export async function writeUnits<P extends UnitUpdate>(
  deps: WriteUnitsDeps,
  translation: number,
  planned: readonly P[],
  by: WriteOrigin,
): Promise<{ done: P[]; late: P[] }> {
  const result: { done: P[]; late: P[] } = { done: [], late: [] };
  for (let at = 0; at < planned.length; at += PORTION) {
    const { done, late } = await writePortion(deps, translation, planned.slice(at, at + PORTION), by);
    result.done.push(...done);
    result.late.push(...late);
  }
  return result;
}

async function writePortion<P extends UnitUpdate>(
  deps: WriteUnitsDeps,
  translation: number,
  planned: readonly P[],
  by: WriteOrigin,
): Promise<{ done: P[]; late: P[] }> {
  const changes = planned.flatMap((p) => p.changes);
  const numbered = await numberChanges(deps, changes);
  const writes = planned.map((p) => toUnitWrite(p, numbered.splice(0, p.changes.length), by.time));
  const late = new Set(await deps.units.writeMany(writes));
  const done = writes.filter((w) => !late.has(w.unit));
  for (const update of planned) if (!late.has(update.unit.id)) deps.recentUnits.update(writtenUnit(update));
  await deps.effects.settleMany(
    translation,
    done.map((w) => ({ unit: w.unit, item: w.outbox })),
    lastChange(changes, by),
  );
  if (by.contributes && done.length > 0) deps.newContributors.record(changes);
  return {
    done: planned.filter(({ unit }) => !late.has(unit.id)),
    late: planned.filter(({ unit }) => late.has(unit.id)),
  };
}

/**
 * Inserts units of one translation with their history and carries out the effects.
 * @returns the units whose keys did not exist
 */
export async function insertUnits(
  deps: InsertUnitsDeps,
  translation: number,
  planned: readonly { unit: Unit; change: ChangeDraft }[],
  by: WriteOrigin,
): Promise<Unit[]> {
  const inserted: Unit[] = [];
  for (let at = 0; at < planned.length; at += PORTION)
    inserted.push(...(await insertPortion(deps, translation, planned.slice(at, at + PORTION), by)));
  return inserted;
}

async function insertPortion(
  deps: InsertUnitsDeps,
  translation: number,
  planned: readonly { unit: Unit; change: ChangeDraft }[],
  by: WriteOrigin,
): Promise<Unit[]> {
  const changes = planned.map((p) => p.change);
  const numbered = await numberChanges(deps, changes);
  const insertions = planned.map(({ unit }, i) => ({
    unit,
    outbox: announcement(unit, null, [numbered[i]!], by.time),
  }));
  const refused = new Set(await deps.units.addMany(insertions));
  const done = insertions.filter(({ unit }) => !refused.has(unit.id));
  await deps.effects.settleMany(
    translation,
    done.map(({ unit, outbox }) => ({ unit: unit.id, item: outbox })),
    lastChange(changes, by),
  );
  return done.map(({ unit }) => unit);
}

/** The unit after its update was written. */
export const writtenUnit = ({ unit, patch }: Pick<UnitUpdate, 'unit' | 'patch'>): Unit => ({
  ...unit,
  ...patch,
  version: unit.version + 1,
});

function toUnitWrite(update: UnitUpdate, changes: Change[], time: number): UnitWrite & { outbox: OutboxItem } {
  const { unit, patch, propagation } = update;
  const outbox = announcement(unit, patch, changes, time);
  if (propagation) outbox.propagation = propagation;
  return { unit: unit.id, version: unit.version, patch, outbox };
}

/**
 * Outbox item of a write.
 * @param patch null: the unit is new
 */
function announcement(unit: Unit, patch: UnitPatch | null, changes: Change[], time: number): OutboxItem {
  const delta = deltaBetween(patch && unit, { ...unit, ...patch }, contentIn(changes));
  return { ...outboxItem(unit, delta, changes, time), ...touchedBy(unit, patch) };
}

function outboxItem({ translation }: Unit, delta: CounterDelta, changes: Change[], time: number): OutboxItem {
  // Short: it has to be unique among the items of a translation for some minutes.
  return { id: randomBytes(9).toString('base64url'), time, translation, delta, changes };
}

const contentIn = (changes: readonly Change[]): number =>
  changes.filter(({ action }) => contentActions.has(action)).length;

/** Input for the checks that compare several strings. */
function touchedBy(unit: Unit, patch: UnitPatch | null): Pick<OutboxItem, 'touched'> {
  const keys = ['target', 'state', 'dismissedChecks'] as const;
  if (unit.isSource || (patch && keys.every((key) => patch[key] === undefined))) return {};
  const texts = [unit.target, patch?.target ?? unit.target].filter((text) => !isBlank(text));
  const failed = patch !== null && unit.checks.length > 0;
  return { touched: { texts, failing: failed !== (patch?.checks ?? unit.checks).length > 0 } };
}

/** The translation's last change after writes with these history entries; null: unchanged. */
function lastChange(changes: readonly ChangeDraft[], { author }: WriteOrigin): LastChange | null {
  const last = changes.at(-1);
  if (!last) return null;
  const time = changes.reduce((newest, change) => Math.max(newest, change.time), 0);
  return { time, by: author && lastChangeBy(author, last.user) };
}
