import type { Highlight } from '@parlance/checks';
import type { translation as proto } from '@parlance/contracts';
import { fieldErrors, isServiceError } from '@parlance/errors';
import { requireId, type CallContext, type Implementation } from '@parlance/grpc-kit';
import { unitContext, type UnitContext, type UnitContextDeps } from '../../app/context/unit-context';
import { loadVisibleUnit, type LoadedUnit } from '../../app/edit/load-unit';
import type { LookUpRequest } from '../../app/memory/entries';
import type { ProjectTerm } from '../../domain/project-term';
import { unitToProto } from '../mappers';
import { readHistory, type ReadHistoryDeps } from './history-handlers';
import { lookUpBounds } from './memory-handlers';

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

/** Most entries of the history in a context. */
const MAX_HISTORY = 100;
/** Longest text that is looked up in the memory, in UTF-16 code units. */
const MAX_MEMORY_TEXT = 10_000;

export interface ContextHandlerDeps extends UnitContextDeps {
  history: ReadHistoryDeps;
  lookUpMemory: (
    context: Pick<CallContext, 'caller' | 'catalogGeneration'>,
    query: LookUpRequest,
  ) => Promise<proto.LookUpMemoryResponse>;
}

export function makeContextHandlers(deps: ContextHandlerDeps): Pick<Implementation<'translation'>, 'getUnitContext'> {
  return {
    async getUnitContext(request, call) {
      const { caller, catalogGeneration } = call;
      const unitId = requireId(request.unitId, 'unit_id');
      const bounds = lookUpBounds({ threshold: request.memoryThreshold, limit: request.memoryLimit });
      // The history is read beside the string, which decides whether the caller may see it.
      const reading = historyOf(deps.history, unitId, request.historySize);
      reading.catch(() => undefined);
      const loaded = await loadVisibleUnit(deps, caller, unitId, catalogGeneration);
      const [context, memory, history] = await Promise.all([
        unitContext(deps, caller, loaded, catalogGeneration),
        request.memoryLimit > 0 ? memoryOf(deps, call, loaded, bounds) : null,
        reading,
      ]);
      return { ...contextToProto(context), memory, history };
    },
  };
}

/** @throws INVALID naming history_size */
async function historyOf(deps: ReadHistoryDeps, unit: number, size: number): Promise<proto.ListChangesResponse | null> {
  if (size === 0) return null;
  if (size < 0 || size > MAX_HISTORY)
    throw fieldErrors([{ attr: 'history_size', code: 'invalid', detail: `The value must be 0 to ${MAX_HISTORY}.` }]);
  return readHistory(deps, { unit }, { page: 1, size }, { withTranslations: true });
}

/** Similar texts of the memory; null if the caller may not look them up. */
async function memoryOf(
  { lookUpMemory }: Pick<ContextHandlerDeps, 'lookUpMemory'>,
  call: Pick<CallContext, 'caller' | 'catalogGeneration'>,
  { unit, translation, component }: LoadedUnit,
  bounds: { threshold: number; limit: number },
): Promise<proto.LookUpMemoryResponse | null> {
  const source = unit.source[0] ?? '';
  if (unit.isSource || source === '' || source.length > MAX_MEMORY_TEXT) return { matches: [] };
  try {
    return await lookUpMemory(call, {
      source,
      sourceLanguage: component.sourceLanguage.code,
      targetLanguage: translation.language.code,
      project: unit.project,
      ...bounds,
    });
  } catch (error) {
    if (isServiceError(error, 'PERMISSION_DENIED')) return null;
    throw error;
  }
}

const contextToProto = (context: UnitContext): proto.GetUnitContextResponse => ({
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
});
