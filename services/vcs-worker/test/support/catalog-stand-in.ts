import type { catalog } from '@parlance/contracts';
import { ServiceError, fieldErrors } from '@parlance/errors';
import type { RunningServer } from '@parlance/grpc-kit';
import { languageObject, language } from './languages';
import { standIn } from './stand-in';

/** The catalog: components that tests add. */
export class CatalogStandIn {
  readonly components = new Map<number, catalog.Component>();
  readonly project: catalog.Project = { id: 1, slug: 'hello', name: 'Hello', accessControl: 0 };
  /** Installed add-ons. */
  readonly addons: catalog.Addon[] = [];
  /** Requested components. */
  readonly wanted: catalog.ComponentInput__Output[] = [];
  /** Number of following component creations that fail because of an outage. */
  outages = 0;
  /** Names and slugs that are taken. */
  readonly taken = new Set<string>();
  /** Calls of setComponentTask. */
  readonly tasks: { componentId: number; taskId: string; completed: boolean }[] = [];
  private server!: RunningServer;

  get port(): number {
    return this.server.port;
  }

  put(settings: catalog.Component & { id: number }): void {
    this.components.set(settings.id, {
      projectId: 1,
      projectSlug: 'hello',
      path: `c${settings.id}`,
      name: `Component ${settings.id}`,
      slug: `c${settings.id}`,
      vcs: 'git',
      branch: 'main',
      filemask: 'po/*.po',
      languageRegex: '^[^.]+$',
      fileFormat: 'po',
      fileFormatParamsJson: '{}',
      mergeStyle: 'rebase',
      newLang: 'add',
      autoLockError: true,
      sourceLanguageCode: 'en',
      commitMessage: 'Translate {{ component_name }} ({{ language_code }})',
      addMessage: 'Add {{ language_name }}',
      deleteMessage: 'Remove {{ language_code }}',
      mergeMessage: 'Merge {{ component_remote_branch }}',
      ...settings,
    });
  }

  async start(): Promise<void> {
    const { components, tasks, addons, project, wanted, taken } = this;
    this.server = await standIn('catalog', {
      async getComponent({ id }) {
        const component = components.get(id);
        if (!component) throw new ServiceError('NOT_FOUND');
        return {
          component: { ...component, repoWithCredentials: component.repo, pushWithCredentials: component.push },
          project,
          sourceLanguage: languageObject('en'),
        };
      },
      async batchGetComponents({ ids }) {
        return {
          components: ids.flatMap((id) => components.get(id) ?? []),
          projects: [project],
          languages: [languageObject('en')],
        };
      },
      async resolveLanguages({ fileCodes }) {
        return { languages: fileCodes.map(language) };
      },
      async batchGetLanguages({ codes }) {
        return { languages: codes.filter((code) => /^[a-z]{2}$/.test(code) && code !== 'xx').map(languageObject) };
      },
      async listEffectiveAddons({ componentIds, name }) {
        return {
          addons: addons.filter(
            (addon) =>
              (name === '' || addon.name === name) &&
              (componentIds.length === 0 || !addon.component || componentIds.includes(Number(addon.component.id))),
          ),
        };
      },
      createComponent: async ({ component }) => {
        if (this.outages > 0) {
          this.outages--;
          throw new ServiceError('UNAVAILABLE');
        }
        wanted.push(component!);
        const problems = (['name', 'slug'] as const)
          .filter((attr) => taken.has(component![attr]!))
          .map((attr) => ({ attr, code: 'unique', detail: `This ${attr} is taken.` }));
        if (problems.length > 0) throw fieldErrors(problems);
        return { component: { id: 1_000_000 } };
      },
      async setComponentTask(request) {
        tasks.push(request);
        return {};
      },
    });
  }

  stop(): Promise<void> {
    return this.server.drain(100);
  }
}
