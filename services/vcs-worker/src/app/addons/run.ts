import type { AddonEvent } from '@parlance/contracts';
import { addonsFor, repositoryAddons, type StoredAddon } from '../../domain/addon';
import type { Component } from '../../domain/component';
import { renderMessage } from '../../domain/message';
import { setHead } from '../repository/set-head';
import { Action, changeEvent } from '../change-events';
import { commitPending } from '../commit/commit-pending';
import { scanChanges } from '../import/import-files';
import type { Deps } from '../deps';
import type { RepositoryWork } from '../repository/repository-work';
import { makeEffectContext, translationFileOf, logFileErrors } from './context';
import { effects } from './effects';
import { StagedFiles } from './staged-files';

/** Events that run file maintenance. */
export type MaintenanceEvent = Extract<AddonEvent, 'install' | 'update' | 'language' | 'daily'>;

/** Loads the add-ons of components. */
export const loadAddons = (deps: Pick<Deps, 'catalog'>, components: readonly Component[]): Promise<StoredAddon[]> =>
  deps.catalog.addons(components.map(({ settings }) => settings.id));

/** Components of an add-on: its own, its project's, or all. */
export function componentsUnder(
  index: Pick<Deps['index'], 'ofProject' | 'all'>,
  addon: Pick<StoredAddon, 'componentId' | 'projectId'>,
): Promise<number[]> {
  if (addon.componentId) return Promise.resolve([addon.componentId]);
  return addon.projectId ? index.ofProject(addon.projectId) : index.all();
}

/**
 * Runs the file maintenance of add-ons, each in a commit of its own with the component's message for add-ons. Afterwards the
 * translation service imports the changed files.
 * @param only limits the run to one component and add-on
 */
export async function maintainFiles(
  deps: Deps,
  work: RepositoryWork,
  stored: readonly StoredAddon[],
  event: MaintenanceEvent,
  only: { component?: number; addon?: number } = {},
): Promise<void> {
  const { components, session, git, log } = work;
  const due = components
    .filter(({ settings }) => only.component === undefined || settings.id === only.component)
    .flatMap((component) =>
      addonsFor(repositoryAddons(stored, component), component, event)
        .filter(({ id, definition }) => effects[definition.name]?.maintainFiles && id === (only.addon ?? id))
        .map((addon) => ({ component, addon })),
    );
  if (due.length === 0 || session.repository.head === null) return;
  await commitPending(deps, work);
  for (const { component, addon } of due) {
    const translations = (await deps.translations.list(component.settings.id))
      .filter((found) => found.filename !== '' && !found.isSource)
      .map(translationFileOf);
    const files = new StagedFiles(git, session.repository.head);
    const context = makeEffectContext(deps, addon, component, files, log);
    await logFileErrors(log, addon, () =>
      effects[addon.definition.name]!.maintainFiles!({ ...context, event, translations }),
    );
    const changes = files.takeChanges();
    if (changes.length === 0) continue;
    const committer = deps.committer();
    const message = renderMessage(component.settings.addonMessage, component, deps.site, {
      addonName: addon.definition.title,
    });
    const [commit] = await git.commit(session.repository.head, [{ changes, author: committer, committer, message }]);
    await setHead(deps, session, git, commit!, {}, [
      changeEvent(component, Action.committed, {
        target: commit!,
        details: { addon: addon.definition.name, commit, files: changes.length },
      }),
    ]);
    log(`${addon.definition.title}: ${changes.length} files updated`);
  }
  await scanChanges(deps, work, { all: false });
}

/** Starts the work of add-ons outside of the repository lease. Idempotent: each task begins once. */
export async function startAddonTasks(
  deps: Deps,
  components: readonly Component[],
  stored: readonly StoredAddon[],
  event: MaintenanceEvent,
  occasion: string,
): Promise<void> {
  for (const component of components) {
    const hasTask = addonsFor(stored, component, event).some((addon) => effects[addon.definition.name]?.runTask);
    if (!hasTask) continue;
    await deps.tasks.begin({
      id: `addons-${event}-${component.settings.id}-${occasion}`,
      kind: 'addons',
      component: component.settings.id,
      user: 0,
      changed: [event],
    });
    deps.wake();
  }
}

/** Runs add-ons after an update, once for each state of the repository. An interrupted run is completed after the next update. */
export async function runAddonsAfterUpdate(deps: Deps, work: RepositoryWork): Promise<void> {
  const { session, components } = work;
  const { head, maintained } = session.repository;
  if (head === null || maintained === head) return;
  const stored = await loadAddons(deps, components);
  await startAddonTasks(deps, components, stored, 'update', head.slice(0, 20));
  await maintainFiles(deps, work, stored, 'update');
  await session.write({ maintained: session.repository.head });
}

/** Runs add-ons on the commits that are about to be pushed. */
export async function runAddonsBeforePush(deps: Deps, work: RepositoryWork): Promise<void> {
  if (work.session.repository.ahead < 2) return;
  const owner = work.components[0]!;
  for (const addon of addonsFor(await loadAddons(deps, [owner]), owner, 'push'))
    await effects[addon.definition.name]?.beforePush?.(deps, work, addon);
}
