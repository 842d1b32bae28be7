import type { statistics } from '@parlance/contracts';
import { RecentChanges } from './recent-changes';

const HOUR = 3_600_000;
const noon = Date.parse('2026-11-28T12:00:00Z');
const translation: statistics.Scope = { kind: 'SCOPE_KIND_TRANSLATION', id: 7 };
const at = (lastChangeMs: number, contentChanges: number, translationIds = 7) => ({
  lastChangeMs,
  contentChanges,
  translationIds,
});

describe('recent changes', () => {
  it('are unknown until they were counted, and known while nothing changes', () => {
    const recent = new RecentChanges();
    expect(recent.find(translation, at(noon, 9))).toBeUndefined();
    recent.record(translation, at(noon, 9), 4, noon - HOUR);
    expect(recent.find(translation, at(noon, 9))).toBe(4);
    expect(recent.find({ ...translation, id: 8 }, at(noon, 9))).toBeUndefined();
  });

  it('grow with the changes to a translation until the oldest is six hours old', () => {
    const recent = new RecentChanges();
    recent.record(translation, at(noon, 9), 4, noon - 2 * HOUR);
    expect(recent.find(translation, at(noon + HOUR, 12))).toBe(7);
    expect(recent.find(translation, at(noon + 4 * HOUR, 13))).toBe(8);
    expect(recent.find(translation, at(noon + 4 * HOUR, 13))).toBe(8);
    expect(recent.find(translation, at(noon + 4 * HOUR + 1, 14))).toBeUndefined();
  });

  it('stay the same after a change of another kind', () => {
    const recent = new RecentChanges();
    recent.record(translation, at(noon, 9), 4, noon - HOUR);
    expect(recent.find(translation, at(noon + HOUR, 9))).toBe(4);
  });

  it('are unknown in an earlier state, after a recount, and after changes to a history without recent ones', () => {
    const recent = new RecentChanges();
    recent.record(translation, at(noon, 9), 4, noon - HOUR);
    expect(recent.find(translation, at(noon - 1, 8))).toBeUndefined();
    expect(recent.find(translation, at(noon + 1, 8))).toBeUndefined();
    recent.record(translation, at(noon, 9), 0, 0);
    expect(recent.find(translation, at(noon, 9))).toBe(0);
    expect(recent.find(translation, at(noon + 1, 10))).toBeUndefined();
  });

  it('are unknown when a translation was added or removed, or the translations are unknown', () => {
    const recent = new RecentChanges();
    const project: statistics.Scope = { kind: 'SCOPE_KIND_PROJECT', id: 1 };
    recent.record(project, at(noon, 9, 7 + 8), 4, noon - HOUR);
    expect(recent.find(project, at(noon + HOUR, 10, 7 + 8))).toBe(5);
    expect(recent.find(project, at(noon + HOUR, 10, 7))).toBeUndefined();
    expect(recent.find(project, at(noon + HOUR, 12, 7 + 8 + 9))).toBeUndefined();
    recent.record(project, at(noon, 9, 0), 4, noon - HOUR);
    expect(recent.find(project, at(noon, 9, 0))).toBe(4);
    expect(recent.find(project, at(noon + HOUR, 10, 0))).toBeUndefined();
  });

  it('depend on the components that a scope contains and excludes', () => {
    const recent = new RecentChanges();
    const project: statistics.Scope = { kind: 'SCOPE_KIND_PROJECT', id: 7, excludedComponentIds: [1, 2] };
    recent.record(project, at(noon, 9), 4, 0);
    expect(recent.find({ ...project, excludedComponentIds: [1, 2] }, at(noon, 9))).toBe(4);
    expect(recent.find({ ...project, excludedComponentIds: [1] }, at(noon, 9))).toBeUndefined();
    expect(recent.find({ ...project, excludedComponentIds: [], componentIds: [1, 2] }, at(noon, 9))).toBeUndefined();
  });
});
