import type { catalog } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import type { CallOptions, Client } from '@parlance/grpc-kit';
import type { StoredAddon } from '../domain/addon';
import type { Component } from '../domain/component';
import type { CatalogClient } from '../domain/ports';
import { ComponentCache } from './component-cache';

const TIMEOUT_MS = 30_000;
/** An answer that takes longer was lost with its connection. */
const ATTEMPT_MS = 5_000;
/** Page size of calls. */
const BATCH = 1_000;

const storedAddon = ({ id, name, component, projectId, configurationJson }: catalog.Addon__Output): StoredAddon => ({
  id,
  name,
  componentId: component?.id ?? 0,
  projectId,
  configuration: JSON.parse(configurationJson || '{}') as Record<string, unknown>,
});

type CallOptionsOf = () => CallOptions;

/** Components by id, ascending; deleted ones are missing. */
async function loadComponents(
  client: Client<'catalog'>,
  ids: readonly number[],
  options: CallOptions,
): Promise<Component[]> {
  const found: Component[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    const { components, projects, languages } = await client.batchGetComponents(
      { ids: ids.slice(at, at + BATCH) },
      options,
    );
    const project = new Map(projects.map((p) => [p.id, p]));
    const language = new Map(languages.map((l) => [l.code, l]));
    for (const settings of components) {
      const itsProject = project.get(settings.projectId);
      const sourceLanguage = language.get(settings.sourceLanguageCode);
      if (itsProject && sourceLanguage) found.push({ settings, project: itsProject, sourceLanguage });
    }
  }
  return found.sort((a, b) => a.settings.id - b.settings.id);
}

/** Components and their tasks. */
function componentMethods(
  client: Client<'catalog'>,
  callOptions: CallOptionsOf,
): Pick<CatalogClient, 'component' | 'components' | 'visible' | 'createComponent' | 'deleteComponent' | 'setTask'> {
  const cache = new ComponentCache();
  return {
    async component(id) {
      try {
        const { component, project, sourceLanguage } = await client.getComponent(
          { id, withCredentials: true },
          callOptions(),
        );
        return component && project && sourceLanguage ? { settings: component, project, sourceLanguage } : null;
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return null;
        throw error;
      }
    },
    components: (ids, generation = '') =>
      cache.get(ids, generation, (missing) =>
        loadComponents(client, missing, { ...callOptions(), catalogGeneration: generation }),
      ),
    async visible(id, token, catalogGeneration) {
      try {
        await client.getComponent({ id }, { ...callOptions(), as: token, catalogGeneration });
        return true;
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return false;
        throw error;
      }
    },
    async createComponent(project, component) {
      const answer = await client.createComponent({ projectId: project, component }, callOptions());
      return answer.component!.id;
    },
    async deleteComponent(id) {
      await client.deleteComponent({ id }, callOptions());
    },
    async setTask(component, task, completed) {
      await client.setComponentTask({ componentId: component, taskId: task, completed }, callOptions());
    },
  };
}

/** Languages and labels. */
function languageAndLabelMethods(
  client: Client<'catalog'>,
  callOptions: CallOptionsOf,
): Pick<CatalogClient, 'resolve' | 'language' | 'labels'> {
  return {
    async resolve(project, codes, component) {
      if (codes.length === 0) return [];
      return (
        await client.resolveLanguages(
          { projectId: project, fileCodes: [...codes], componentId: component },
          callOptions(),
        )
      ).languages;
    },
    async language(code) {
      const { languages } = await client.batchGetLanguages({ codes: [code] }, callOptions());
      return languages[0] ?? null;
    },
    async labels(project) {
      const byName = new Map<string, number>();
      for (let page = 1; ; page++) {
        const { labels } = await client.listLabels(
          { projectId: project, page: { page, pageSize: BATCH } },
          callOptions(),
        );
        for (const { name, id } of labels) byName.set(name, id);
        if (labels.length < BATCH) return byName;
      }
    },
  };
}

/** Add-ons. */
function addonMethods(
  client: Client<'catalog'>,
  callOptions: CallOptionsOf,
): Pick<CatalogClient, 'addons' | 'addonsNamed' | 'installAddon'> {
  return {
    async addons(components) {
      if (components.length === 0) return [];
      return (await client.listEffectiveAddons({ componentIds: [...components] }, callOptions())).addons.map(
        storedAddon,
      );
    },
    async addonsNamed(name) {
      return (await client.listEffectiveAddons({ name }, callOptions())).addons.map(storedAddon);
    },
    async installAddon(component, name, configuration) {
      await client.createAddon(
        { componentId: component, name, configurationJson: JSON.stringify(configuration) },
        callOptions(),
      );
    },
  };
}

/** The catalog over gRPC. */
export function makeCatalogClient(client: Client<'catalog'>, callerToken: () => string): CatalogClient {
  const callOptions = (): CallOptions => ({ as: callerToken(), timeoutMs: TIMEOUT_MS, attemptMs: ATTEMPT_MS });
  return {
    ...componentMethods(client, callOptions),
    ...languageAndLabelMethods(client, callOptions),
    ...addonMethods(client, callOptions),
  };
}
