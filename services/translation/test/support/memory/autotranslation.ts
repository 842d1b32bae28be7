import type { Permission } from '@parlance/access';
import type { AutotranslatePlan } from '../../../src/app/autotranslate/request';
import { runAutotranslate } from '../../../src/app/autotranslate/run';
import type { TaskState } from '../../../src/domain/ports';
import type { Unit } from '../../../src/domain/unit';
import { everyUnit } from '../../../src/domain/unit-query';
import { MemoryAutotranslateLeases } from './autotranslate-leases';
import { translationMemory } from './memory-store';
import { StringsWorld } from './world';

/** Component 1 is translated from component 2, which has `Hello`. */
export function autotranslation(fields: Partial<Unit> = {}, other: Partial<Unit> = {}, settings = {}) {
  const world = new StringsWorld();
  const { component, czech } = world.component(1, settings);
  world.component(2);
  world.string(1, 7, 'Hello', fields);
  world.string(2, 8, 'Hello', { target: ['Ahoj'], state: 20, ...other });
  const reports: TaskState[] = [];
  const unused = async () => {
    throw new Error('unused');
  };
  const deps = {
    ...world.deps,
    machinery: {
      store: { get: unused, put: unused, remove: unused },
      secrets: { seal: String, open: String },
      http: () => unused,
    },
    memory: translationMemory().deps,
    leases: new MemoryAutotranslateLeases(),
    componentNamed: async (_: string, path: string) => (path === 'app' ? component : null),
    tasks: {
      start: async () => 't',
      report: async (_id: string, _component: number, state: TaskState) => void reports.push(state),
    },
    translations: {
      page: async () => {
        const items = await world.translations.many([11, 21]);
        return { items, total: items.length };
      },
    },
  };
  const plan: AutotranslatePlan = {
    translation: czech,
    component,
    mode: 'translate',
    state: 20,
    query: everyUnit,
    source: 'others',
    from: null,
    engines: [],
    threshold: 80,
    mayReview: false,
    onlySuggest: false,
  };
  const permissions: Permission[] = ['translation.auto'];
  const caller = world.user(3, permissions);
  const run = async (more: Partial<AutotranslatePlan> = {}, signal = new AbortController().signal) => {
    const context = { task: 't', signal, release: async () => undefined };
    return (await runAutotranslate(deps, caller, { ...plan, ...more }, context)).finished;
  };
  return { world, deps, plan, caller, reports, run };
}
