import type { translation as proto } from '@parlance/contracts';
import { requireId, type Implementation } from '@parlance/grpc-kit';
import { dismissCheck, type DismissCheckDeps } from '../../app/checks/dismiss-check';
import { listUnitChecks, type UnitCheck } from '../../app/checks/unit-checks';

export type CheckMethod = 'listUnitChecks' | 'dismissCheck';

export type CheckHandlerDeps = DismissCheckDeps;

export function makeCheckHandlers(deps: CheckHandlerDeps): Pick<Implementation<'translation'>, CheckMethod> {
  return {
    async listUnitChecks(request, { caller, catalogGeneration }) {
      const unit = requireId(request.unitId, 'unit_id');
      const { checks, component } = await listUnitChecks(deps, caller, unit, catalogGeneration);
      return { checks: checks.map(checkToProto), componentId: component };
    },
    async dismissCheck(request, { caller, problems, catalogGeneration }) {
      const { check, scope, undo } = request;
      const dismissal = { unit: requireId(request.unitId, 'unit_id'), check, scope, undo, problems };
      return { checks: (await dismissCheck(deps, caller, dismissal, catalogGeneration)).map(checkToProto) };
    },
  };
}

const checkToProto = ({ id, dismissed, spans, fix }: UnitCheck): proto.UnitCheck => ({
  id,
  dismissed: dismissed ?? '',
  spans: spans.map(({ side, ...span }) => ({ ...span, isSource: side === 'source' })),
  fix: fix ?? [],
});
