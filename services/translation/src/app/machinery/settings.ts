import { LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { maskSecrets, MEMORY_ENGINES, readSettings, restoreSecrets } from '@parlance/contracts';
import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { EngineError, type Engine, type EngineHttp, type EngineSettings } from '../../domain/machinery/engine';
import type { MachineryStore, Secrets } from '../../domain/machinery/ports';
import { engineOf, type EngineRow } from './engines';
import { measuredHttp } from './metrics';

export interface MachineryDeps {
  store: MachineryStore;
  secrets: Secrets;
  /** Requests to engines; the signal ends them early. */
  http(signal?: AbortSignal): EngineHttp;
}

/** Tries after somebody else changed the settings at the same moment. */
const MAX_TRIES = 10;

export interface GivenService {
  service: string;
  /** Undefined: none was given. */
  configuration: Record<string, unknown> | undefined;
}

export type MachineryChange = 'add' | 'set' | 'replace';

const opened = (secrets: Secrets, sealed: string): EngineSettings => JSON.parse(secrets.open(sealed)) as EngineSettings;

/** The settings of a project's engines, without secrets. */
export async function shownSettings(
  deps: MachineryDeps,
  project: number,
): Promise<{ service: string; configuration: Record<string, string> }[]> {
  const { services } = await deps.store.get(project);
  return Object.entries(services).flatMap(([service, sealed]) => {
    const definition = engineOf(service);
    if (!definition) return [];
    const shown = maskSecrets(definition.settings, opened(deps.secrets, sealed));
    return [{ service, configuration: shown as Record<string, string> }];
  });
}

/** An engine of a project, ready to be asked. */
export interface OpenEngine {
  definition: EngineRow;
  engine: Engine;
}

/** Engines of a project by their ids; those that the project has not are missing. */
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
        engine: definition.open(opened(deps.secrets, sealed), measuredHttp(definition.id, deps.http(signal))),
      },
    ];
  });
}

/** Which of these engines a project does not have. The memory is always there. */
export async function missingEngines(
  deps: MachineryDeps,
  project: number,
  wanted: readonly string[],
): Promise<string[]> {
  const { services } = await deps.store.get(project);
  return wanted.filter((id) => !MEMORY_ENGINES.includes(id) && !(engineOf(id) && services[id] !== undefined));
}

/**
 * Adds one engine, sets one (without a configuration: removes it), or puts engines in place of all. What is given is tried on the
 * engine before it is stored.
 * @returns names of the engines
 * @throws INVALID on field service or configuration
 */
export async function changeSettings(
  deps: MachineryDeps,
  project: number,
  change: MachineryChange,
  given: readonly GivenService[],
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
            ? ['required', 'The engine must be named.']
            : ['does_not_exist', `There is no engine "${service.slice(0, 100)}".`];
        problems.push({ attr: change === 'replace' ? 'configuration' : 'service', code: code!, detail: detail! });
        continue;
      }
      names.push(definition.name);
      if (change === 'set' && configuration === undefined) {
        delete services[service];
        continue;
      }
      if (change === 'add' && services[service] !== undefined) {
        problems.push({ attr: 'service', code: 'unique', detail: 'This engine is set already.' });
        continue;
      }
      const stored = before.services[service];
      const settings = checked(
        definition,
        configuration ?? {},
        stored === undefined ? {} : opened(deps.secrets, stored),
      );
      if (Array.isArray(settings)) problems.push(...settings);
      else {
        problems.push(...(await tried(deps, definition, settings)));
        services[service] = deps.secrets.seal(JSON.stringify(settings));
      }
    }
    if (problems.length > 0) throw fieldErrors(problems);
    return (await deps.store.put(project, services, before.version)) ? names : LOST_RACE;
  };
  return optimisticUpdate<string[]>(attempt, { attempts: MAX_TRIES });
}

/** The settings that are stored, or what is wrong with them. */
function checked(
  definition: EngineRow,
  given: Record<string, unknown>,
  stored: EngineSettings,
): Record<string, string> | FieldProblem[] {
  const restored = restoreSecrets(definition.settings, given, stored);
  const { values, problems: unread } = readSettings(definition.settings, restored.given, 'create');
  const refused = new Set(restored.problems.map((p) => p.attr));
  const problems = [...restored.problems, ...unread.filter((p) => !refused.has(p.attr))];
  if (problems.length > 0)
    return problems.map(({ attr, code, detail }) => ({
      attr: 'configuration',
      code,
      detail: `${definition.name}, ${attr}: ${detail}`,
    }));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]));
}

/** Whether the engine answers with these settings. */
async function tried(deps: MachineryDeps, definition: EngineRow, settings: EngineSettings): Promise<FieldProblem[]> {
  try {
    await definition.open(settings, measuredHttp(definition.id, deps.http())).languages();
    return [];
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return [{ attr: 'configuration', code: 'invalid', detail: `${definition.name}: ${error.message}` }];
  }
}
