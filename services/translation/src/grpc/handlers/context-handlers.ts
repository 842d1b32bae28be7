import type { Highlight } from '@parlance/checks';
import type { translation as proto } from '@parlance/contracts';
import { requireId, type Implementation } from '@parlance/grpc-kit';
import { unitContext, type UnitContextDeps } from '../../app/context/unit-context';
import type { ProjectTerm } from '../../domain/project-term';
import { unitToProto } from '../mappers';

const highlightKinds: Readonly<Record<Highlight['kind'], proto.HighlightKind>> = {
  placeholder: 'HIGHLIGHT_KIND_PLACEHOLDER',
  markup: 'HIGHLIGHT_KIND_MARKUP',
  whitespace: 'HIGHLIGHT_KIND_WHITESPACE',
};

const termToProto = (term: ProjectTerm): proto.FoundTerm => ({
  unitId: term.unit,
  source: term.source,
  targets: [...term.targets],
  forbidden: term.forbidden ?? false,
  readOnly: term.readOnly ?? false,
});

export function makeContextHandlers(deps: UnitContextDeps): Pick<Implementation<'translation'>, 'getUnitContext'> {
  return {
    async getUnitContext(request, { caller, catalogGeneration }) {
      const context = await unitContext(deps, caller, requireId(request.unitId, 'unit_id'), catalogGeneration);
      return {
        unit: unitToProto(context.unit),
        before: context.before.map(unitToProto),
        after: context.after.map(unitToProto),
        sameSource: context.sameSource.map(unitToProto),
        terms: context.terms.map(({ term, variants, spans }) => ({
          ...termToProto(term),
          variants: variants.map(termToProto),
          spans,
        })),
        highlights: context.highlights.map(({ kind, side, ...place }) => ({
          kind: highlightKinds[kind],
          span: { isSource: side === 'source', ...place },
        })),
      };
    },
  };
}
