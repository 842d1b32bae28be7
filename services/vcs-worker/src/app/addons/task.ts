import { ServiceError } from '@parlance/errors';
import { addonsFor } from '../../domain/addon';
import { addLanguage, sitePrincipal } from '../files';
import { pushIfWanted } from '../operations';
import type { Parts } from '../parts';
import type { TaskWork } from '../task-runner';
import { withRepository } from '../work';
import { effects } from './effects';
import { loadAddons, upkeep, type UpkeepEvent } from './run';

const isEvent = (text: string | undefined): text is UpkeepEvent =>
  text === 'install' || text === 'update' || text === 'language' || text === 'daily';

/**
 * Work of a component's add-ons on an event, which the task names, and possibly the id of the one add-on that is meant. Files were
 * brought in order already where the event came with the repository's turn (update, language).
 */
export const addonsTask =
  (parts: Parts): TaskWork =>
  async (run) => {
    const [event, id] = run.task.changed;
    if (!isEvent(event)) throw new ServiceError('INTERNAL', { message: 'The task names no event of add-ons.' });
    const only = id === undefined ? undefined : Number(id);
    const component = await parts.catalog.component(run.task.component);
    const repository = await parts.index.repositoryOf(run.task.component);
    if (!component || repository === null) throw new ServiceError('NOT_FOUND', { message: 'The component is gone.' });
    const stored = await loadAddons(parts, [component]);
    const principal = sitePrincipal(parts);
    if (event === 'install' || event === 'daily')
      await withRepository(
        parts,
        repository,
        { user: run.task.user, log: run.log, signal: run.signal },
        async (work) => {
          const { id: own } = component.settings;
          await upkeep(parts, work, stored, event, { component: own, ...(only === undefined ? {} : { addon: only }) });
          await pushIfWanted(parts, work);
        },
      );
    for (const addon of addonsFor(stored, component, event)) {
      if (only !== undefined && addon.id !== only) continue;
      const log = (line: string) => run.log(`${addon.definition.title}: ${line}`);
      await effects[addon.definition.name]?.act?.({
        parts,
        addon,
        component,
        event,
        log,
        addLanguage: (to, code) => addLanguage(parts, principal, to, code),
      });
    }
    return { component: component.settings.id };
  };
