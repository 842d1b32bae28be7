import { can, denialMessage, type Caller } from '@parlance/access';
import type { translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { requireId, type Implementation } from '@parlance/grpc-kit';
import type { AutotranslateDeps } from '../../app/autotranslate/deps';
import { planAutotranslate } from '../../app/autotranslate/request';
import type { AutotranslateRuns } from '../../app/autotranslate/runs';
import { machineSuggestions, type MachineSuggestionsDeps } from '../../app/context/machine-suggestions';
import {
  changeSettings,
  maskedSettings,
  type EngineSettingsRequest,
  type MachineryChange,
} from '../../app/machinery/settings';

export type AutotranslateMethod =
  'autotranslate' | 'getMachinerySettings' | 'changeMachinerySettings' | 'getMachineSuggestions';

const kinds: Record<string, MachineryChange | undefined> = {
  MACHINERY_CHANGE_ADD: 'add',
  MACHINERY_CHANGE_SET: 'set',
  MACHINERY_CHANGE_REPLACE: 'replace',
};

/** Maximum number of engines in a request. */
const MAX_ENGINES = 50;

export function makeAutotranslateHandlers(
  deps: AutotranslateDeps & MachineSuggestionsDeps,
  runs: AutotranslateRuns,
): Pick<Implementation<'translation'>, AutotranslateMethod> {
  return {
    async autotranslate(request, context) {
      const problems = [...context.problems];
      if (request.engines.length > MAX_ENGINES)
        problems.push({
          attr: 'engines',
          code: 'max_length',
          detail: `"engines" must not contain more than ${MAX_ENGINES} items.`,
        });
      const plan = await planAutotranslate(
        deps,
        context.caller,
        {
          translation: requireId(request.translationId, 'translation_id'),
          mode: request.mode,
          q: request.q,
          source: request.autoSource,
          component: request.component,
          engines: request.engines.slice(0, MAX_ENGINES),
          threshold: request.threshold,
          problems,
        },
        context.catalogGeneration,
      );
      return runs.run(context.caller, plan, request.waitMs);
    },
    async getMachineSuggestions(request, { caller, catalogGeneration }) {
      return machineSuggestions(deps, caller, requireId(request.unitId, 'unit_id'), catalogGeneration);
    },
    async getMachinerySettings(request, context) {
      const project = await requireProject(deps, context.caller, request.projectId, 'read', context.catalogGeneration);
      const services = await maskedSettings(deps.machinery, project);
      return {
        services: services.map((s) => ({ service: s.service, configurationJson: JSON.stringify(s.configuration) })),
      };
    },
    async changeMachinerySettings(request, context) {
      const project = await requireProject(deps, context.caller, request.projectId, 'write');
      const change = kinds[request.change];
      if (!change) throw new ServiceError('INVALID', { message: '"change" must be specified.' });
      return {
        names: await changeSettings(deps.machinery, project, change, request.services.map(engineSettingsFromProto)),
      };
    },
  };
}

/**
 * @param use reading needs no second factor
 * @param generation catalog generation of a read; see MemoryProjects
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
async function requireProject(
  deps: AutotranslateDeps,
  caller: Caller,
  id: number,
  use: 'read' | 'write',
  generation?: string,
): Promise<number> {
  const project = await deps.memory.projects.get(requireId(id, 'project_id'), generation);
  if (!project) throw new ServiceError('NOT_FOUND');
  const enforced2fa = use === 'write' && project.enforced2fa;
  const target = { projectId: project.id, accessControl: project.accessControl, enforced2fa };
  if (!can(caller, 'project.edit', target))
    throw new ServiceError('PERMISSION_DENIED', { message: denialMessage(caller, target) });
  return project.id;
}

function engineSettingsFromProto({
  service,
  configurationJson,
}: proto.MachineryService__Output): EngineSettingsRequest {
  if (configurationJson === '') return { service, configuration: undefined };
  let value: unknown;
  try {
    value = JSON.parse(configurationJson);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fieldErrors([{ attr: 'configuration', code: 'invalid', detail: '"configuration" must be a JSON object.' }]);
  return { service, configuration: value as Record<string, unknown> };
}
