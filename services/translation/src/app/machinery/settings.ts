import { LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { maskSecrets, MEMORY_ENGINES, readRequest, restoreSecrets } from '@parlance/contracts';
import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { EngineError, type Engine, type EngineHttp, type EngineSettings } from '../../domain/machinery/engine';
import type { MachineryStore, Secrets } from '../../domain/machinery/ports';
import { engineOf, type EngineRow } from './engines';
import { measuredHttp } from './metrics';

export interface MachineryDeps {
  store: MachineryStore;
  secrets: Secrets;
  /** HTTP client for engines; the signal cancels its requests. */
  http(signal?: AbortSignal): EngineHttp;
}

/** Attempts under concurrent changes of the settings. */
const MAX_ATTEMPTS = 10;

export interface EngineSettingsRequest {
  service: string;
  /** Undefined: not given. */
  configuration: Record<string, unknown> | undefined;
}

export type MachineryChange = 'add' | 'set' | 'replace';

const openSettings = (secrets: Secrets, sealed: string): EngineSettings =>
  JSON.parse(secrets.open(sealed)) as EngineSettings;

/** The settings of a project's engines, secrets masked. */
export async function maskedSettings(
  deps: MachineryDeps,
  project: number,
): Promise<{ service: string; configuration: Record<string, string> }[]> {
  const { services } = await deps.store.get(project);
  return Object.entries(services).flatMap(([service, sealed]) => {
    const definition = engineOf(service);
    if (!definition) return [];
    const shown = maskSecrets(definition.settings, openSettings(deps.secrets, sealed));
    return [{ service, configuration: shown as Record<string, string> }];
  });
}

/** An engine with the settings of a project. */
export interface OpenEngine {
  definition: EngineRow;
  engine: Engine;
}

/** Engines of a project by id; engines that are not configured are omitted. */
export async function openEngines(
  deps: MachineryDeps,
  project: number,
  wanted: readonly string[],
  signal?: AbortSignal,
): Promise<OpenEngine[]> {
  const { services } = await deps.store.get(project);
  return wanted.flatMap((id) => {
    const definition = engineOf(id);
    const sealed = services[id];
    if (!definition || sealed === undefined) return [];
    return [
      {
        definition,
        engine: definition.open(openSettings(deps.secrets, sealed), measuredHttp(definition.id, deps.http(signal))),
      },
    ];
  });
}

/** Ids of engines that are not configured. The translation memory needs no configuration. */
export async function missingEngines(
  deps: MachineryDeps,
  project: number,
  wanted: readonly string[],
): Promise<string[]> {
  const { services } = await deps.store.get(project);
  return wanted.filter((id) => !MEMORY_ENGINES.includes(id) && !(engineOf(id) && services[id] !== undefined));
}

/**
 * Adds an engine, sets one (without a configuration: removes it), or replaces all engines. New settings are tested with a request to the
 * engine before they are stored.
 * @returns names of the engines
 * @throws INVALID on field service or configuration
 */
export async function changeSettings(
  deps: MachineryDeps,
  project: number,
  change: MachineryChange,
  given: readonly EngineSettingsRequest[],
): Promise<string[]> {
  const attempt = async () => {
    const before = await deps.store.get(project);
    const services: Record<string, string> = change === 'replace' ? {} : { ...before.services };
    const problems: FieldProblem[] = [];
    const names: string[] = [];
    for (const { service, configuration } of given) {
      const definition = engineOf(service);
      if (!definition) {
        const [code, detail] =
          service === ''
            ? ['required', 'This field is required.']
            : ['does_not_exist', `The engine "${service.slice(0, 100)}" does not exist.`];
        problems.push({ attr: change === 'replace' ? 'configuration' : 'service', code: code!, detail: detail! });
        continue;
      }
      names.push(definition.name);
      if (change === 'set' && configuration === undefined) {
        delete services[service];
        continue;
      }
      if (change === 'add' && services[service] !== undefined) {
        problems.push({ attr: 'service', code: 'unique', detail: 'This engine is already configured.' });
        continue;
      }
      const stored = before.services[service];
      const settings = validateSettings(
        definition,
        configuration ?? {},
        stored === undefined ? {} : openSettings(deps.secrets, stored),
      );
      if (Array.isArray(settings)) problems.push(...settings);
      else {
        problems.push(...(await testSettings(deps, definition, settings)));
        services[service] = deps.secrets.seal(JSON.stringify(settings));
      }
    }
    if (problems.length > 0) throw fieldErrors(problems);
    return (await deps.store.put(project, services, before.version)) ? names : LOST_RACE;
  };
  return optimisticUpdate<string[]>(attempt, { attempts: MAX_ATTEMPTS });
}

/** Valid settings with restored secrets, or the problems. */
function validateSettings(
  definition: EngineRow,
  given: Record<string, unknown>,
  stored: EngineSettings,
): Record<string, string> | FieldProblem[] {
  const restored = restoreSecrets(definition.settings, given, stored);
  const { values, problems: readProblems } = readRequest(definition.settings, restored.given, 'create');
  const rejectedFields = new Set(restored.problems.map((p) => p.attr));
  const problems = [...restored.problems, ...readProblems.filter((p) => !rejectedFields.has(p.attr))];
  if (problems.length > 0)
    return problems.map(({ attr, code, detail }) => ({
      attr: 'configuration',
      code,
      detail: `${definition.name}, ${attr}: ${detail}`,
    }));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]));
}

/** Tests settings with a request to the engine. */
async function testSettings(
  deps: MachineryDeps,
  definition: EngineRow,
  settings: EngineSettings,
): Promise<FieldProblem[]> {
  try {
    await definition.open(settings, measuredHttp(definition.id, deps.http())).languages();
    return [];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return [{ attr: 'configuration', code: 'invalid', detail: `${definition.name}: ${error.message}` }];
  }
}
