import { requireId, type Implementation } from '@parlance/grpc-kit';
import { unitContext, type UnitContextDeps } from '../../app/context/unit-context';
import { unitToProto } from '../mappers';

export function makeContextHandlers(deps: UnitContextDeps): Pick<Implementation<'translation'>, 'getUnitContext'> {
  return {
    async getUnitContext(request, { caller, catalogGeneration }) {
      const context = await unitContext(deps, caller, requireId(request.unitId, 'unit_id'), catalogGeneration);
      return {
        unit: unitToProto(context.unit),
        before: context.before.map(unitToProto),
        after: context.after.map(unitToProto),
        sameSource: context.sameSource.map(unitToProto),
        terms: context.terms.map(({ term, spans }) => ({
          unitId: term.unit,
          source: term.source,
          targets: [...term.targets],
          forbidden: term.forbidden ?? false,
          readOnly: term.readOnly ?? false,
          spans,
        })),
      };
    },
  };
}
