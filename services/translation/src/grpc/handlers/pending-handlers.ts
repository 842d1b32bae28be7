import type { translation as proto } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { chunks, requireId, type CallContext, type Implementation, requireService } from '@parlance/grpc-kit';
import type { FileAdmission } from '@parlance/workload';
import { authorOf } from '../../app/author';
import {
  discardPending,
  hasPending,
  listPending,
  markCommitted,
  type DiscardPendingDeps,
  type HasPendingDeps,
  type ListPendingDeps,
  type MarkCommittedDeps,
} from '../../app/commit/commit-pending';
import { recordSkipped } from '../../app/commit/record-skipped';
import { editsOfGroup, type PendingDeps } from '../../app/commit/render-pending';
import type { RemovalStore, TranslationReader } from '../../domain/ports';
import { authorFromProto } from '../../proto/common';
import { commitPending } from '../commit-stream';
import { groupToProto } from '../mappers';
import { renderGroup, type RenderGroupDeps } from '../render-group';
import { knownComponent, withFieldErrors } from '../repository-files';
import { componentFromProto } from '../mappers';
import { MAX_FILE_BYTES, senderOf, type Admissions } from '../uploads';
import { requireIds } from '../validation';

export type PendingMethod =
  'commitPending' | 'listPending' | 'hasPending' | 'renderPending' | 'markCommitted' | 'discardPending';

export interface RenderPendingDeps extends PendingDeps, RenderGroupDeps {
  units: PendingDeps['units'] & RenderGroupDeps['units'];
  translations: Pick<TranslationReader, 'get'>;
}

export interface PendingHandlerDeps
  extends RenderPendingDeps, ListPendingDeps, HasPendingDeps, MarkCommittedDeps, DiscardPendingDeps {
  catalog: DiscardPendingDeps['catalog'];
  units: RenderPendingDeps['units'] & ListPendingDeps['units'] & DiscardPendingDeps['units'];
  translations: ListPendingDeps['translations'] & MarkCommittedDeps['translations'];
  removals: RemovalStore;
}

/** Methods about pending edits. For services only. */
export function makePendingHandlers(
  deps: PendingHandlerDeps,
  { processes }: Admissions,
): Pick<Implementation<'translation'>, PendingMethod> {
  return {
    async listPending(request, context) {
      requireService(context.caller);
      const known = await deps.catalog.component(requireId(request.componentId, 'component_id'), '');
      // A deleted component has no pending edits.
      if (!known) return { groups: [] };
      const component = request.component ? componentFromProto(request.component, known) : known;
      const groups = await listPending(deps, component, request.translationId);
      const translations = new Map(
        (await deps.translations.many([...new Set(groups.map((g) => g.translation))])).map((t) => [t.id, t]),
      );
      return {
        groups: groups.flatMap((group) => {
          const translation = translations.get(group.translation);
          return translation ? [groupToProto(group, translation)] : [];
        }),
      };
    },
    async hasPending(request, context) {
      requireService(context.caller);
      return { pending: await hasPending(deps, requireIds(request.componentIds)) };
    },
    commitPending: (requests, context) => commitPending(deps, processes, requests, context),
    renderPending: (requests, context) => renderPending(deps, processes, requests, context),
    async markCommitted(request, context) {
      requireService(context.caller);
      await markCommitted(deps, requireId(request.translationId, 'translation_id'), request.editIds, request.revision);
      return {};
    },
    async discardPending(request, context) {
      requireService(context.caller);
      return {
        units: await discardPending(deps, requireId(request.componentId, 'component_id'), authorOf(context.caller)),
      };
    },
  };
}

async function* renderPending(
  deps: RenderPendingDeps,
  processes: FileAdmission,
  requests: AsyncIterable<proto.RenderPendingRequest__Output>,
  context: CallContext,
): AsyncGenerator<proto.RenderPendingResponse> {
  requireService(context.caller);
  const room = processes.room(MAX_FILE_BYTES, senderOf(context));
  try {
    let first: proto.RenderPendingRequest__Output | undefined;
    for await (const message of requests) {
      first ??= message;
      await room.add(message.chunk);
    }
    const bytes = room.whole();
    const author = first?.group && authorFromProto(first.group.author);
    const translation = first?.group && (await deps.translations.get(first.group.translationId));
    if (!first?.group || !author || !translation) throw new ServiceError('NOT_FOUND');
    const component = await knownComponent(deps, translation.component, first.component);
    const group = await editsOfGroup(deps, component, {
      translation: translation.id,
      round: first.group.round,
      author,
    });
    const { intermediate } = first;
    const rendered = await withFieldErrors(() =>
      renderGroup(deps, { component, translation, group, intermediate }, bytes),
    );
    await recordSkipped(deps, rendered.skipped);
    const { editIds, changed } = rendered;
    yield { result: { editIds, skippedUnitIds: rendered.skipped.map(({ unit }) => unit), changed } };
    for (const chunk of chunks(rendered.bytes)) yield { chunk };
  } finally {
    room.release();
  }
}
