import { ServiceError } from '@parlance/errors';
import { addonsFor } from '../../domain/addon';
import { addLanguage } from '../files/languages';
import { siteCaller } from '../files/callers';
import { pushIfConfigured } from '../repository/run-operation';
import type { Deps } from '../deps';
import type { TaskWork } from '../tasks/task-runner';
import { withRepository } from '../repository/with-repository';
import { effects } from './effects';
import { loadAddons, maintainFiles, type MaintenanceEvent } from './run';

const isEvent = (text: string | undefined): text is MaintenanceEvent =>
  text === 'install' || text === 'update' || text === 'language' || text === 'daily';

/**
 * Runs a component's add-ons on the event that the task names, or only the named add-on. For events under the repository lease
 * (update, language), file maintenance has already run.
 */
export const addonsTask =
  (deps: Deps): TaskWork =>
  async (run) => {
    const [event, id] = run.task.changed;
    if (!isEvent(event)) throw new ServiceError('INTERNAL', { message: 'The task names no event of add-ons.' });
    const only = id === undefined ? undefined : Number(id);
    const component = await deps.catalog.component(run.task.component);
    const repository = await deps.index.repositoryOf(run.task.component);
    if (!component || repository === null)
      throw new ServiceError('NOT_FOUND', { message: 'The component was deleted.' });
    const stored = await loadAddons(deps, [component]);
    const caller = siteCaller(deps);
    if (event === 'install' || event === 'daily')
      await withRepository(
        deps,
        repository,
        { user: run.task.user, log: run.log, signal: run.signal },
        async (work) => {
          const { id: own } = component.settings;
          await maintainFiles(deps, work, stored, event, {
            component: own,
            ...(only === undefined ? {} : { addon: only }),
          });
          await pushIfConfigured(deps, work);
        },
      );
    for (const addon of addonsFor(stored, component, event)) {
      if (only !== undefined && addon.id !== only) continue;
      const log = (line: string) => run.log(`${addon.definition.title}: ${line}`);
      await effects[addon.definition.name]?.runTask?.({
        deps,
        addon,
        component,
        event,
        log,
        addLanguage: (to, code) => addLanguage(deps, caller, to, code),
      });
    }
    return { component: component.settings.id };
  };
