import type { translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { FormatError } from '@parlance/formats';
import { chunks, requireId, type Implementation } from '@parlance/grpc-kit';
import { discardPending, hasPending, listPending, markCommitted } from '../app/commit/commit-pending';
import { recordConflicts } from '../app/import/conflicts';
import type { Deps } from '../app/deps';
import { removeOldComments, removeOldSuggestions } from '../app/remove-old-remarks';
import { baseOf, editsOfGroup, renderEdits, renderRemovals } from '../app/commit/render-pending';
import { tellOfSkipped } from '../app/commit/tell-of-skipped';
import { authorOf } from '../app/edit/update-unit';
import { conflictToProto, importFiles } from './import-stream';
import { authorFromProto, componentFromProto, groupToProto } from './mappers';
import { MAX_FILE_BYTES, senderOf, type Admissions } from './uploads';
import { requireIds, requireService } from './validation';

/** The methods of the contract by which processes work on a component's files. */
export type RepositoryMethod =
  | 'importFiles'
  | 'listPending'
  | 'hasPending'
  | 'renderPending'
  | 'markCommitted'
  | 'mergeFile'
  | 'recordConflicts'
  | 'discardPending'
  | 'removeOldComments'
  | 'removeOldSuggestions';

/** What processes do with a component's files and with what waits to be committed, on top of the use cases. */
export function makeRepositoryHandlers(
  deps: Deps,
  { processes }: Admissions,
): Pick<Implementation<'translation'>, RepositoryMethod> {
  return {
    importFiles: (requests, context) => importFiles(deps, processes, requests, context),
    async listPending(request, context) {
      requireService(context.caller);
      const known = await deps.catalog.component(requireId(request.componentId, 'component_id'), '');
      // Of a component that was deleted meanwhile nothing is committed any more.
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
    async *renderPending(requests, context) {
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
        const rendered = await readable(async () =>
          intermediate
            ? renderRemovals(deps.files, component, translation.language, bytes, group)
            : renderEdits(
                deps.files,
                component,
                translation.language,
                bytes,
                group?.edits ?? [],
                group?.removals,
                baseOf(deps.repository, component, translation),
              ),
        );
        await tellOfSkipped(deps, rendered.skipped);
        const { editIds, changed } = rendered;
        yield { result: { editIds, skippedUnitIds: rendered.skipped.map(({ unit }) => unit), changed } };
        for (const chunk of chunks(rendered.bytes)) yield { chunk };
      } finally {
        room.release();
      }
    },
    async markCommitted(request, context) {
      requireService(context.caller);
      await markCommitted(deps, requireId(request.translationId, 'translation_id'), request.editIds, request.revision);
      return {};
    },
    async *mergeFile(requests, context) {
      requireService(context.caller);
      // One after the other could wait for each other: the memory of all three is reserved together.
      const room = processes.room(MAX_FILE_BYTES * 3, senderOf(context));
      try {
        const ends: number[] = [];
        let header: proto.MergeHeader__Output | null = null;
        for await (const message of requests) {
          header ??= message.header;
          await room.add(message.chunk);
          if (message.endOfVersion) ends.push(room.size);
        }
        const translation = header && (await deps.translations.get(header.translationId));
        if (!header || !translation || ends.length < 3)
          throw new ServiceError('NOT_FOUND', { message: 'A translation and three versions are needed.' });
        const component = await knownComponent(deps, translation.component, header.component);
        const bytes = room.whole();
        const [base, local, upstream] = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end)) as [
          Buffer,
          Buffer,
          Buffer,
        ];
        const merged = await readable(() => deps.files.merge({ component, translation, base, local, upstream }));
        yield { result: { conflicts: merged.conflicts.map(conflictToProto) } };
        for (const chunk of chunks(merged.bytes)) yield { chunk };
      } finally {
        room.release();
      }
    },
    async recordConflicts(request, context) {
      requireService(context.caller);
      await recordConflicts(
        deps,
        request.conflicts.map((c) => ({
          translation: c.translationId,
          unit: c.unitId,
          context: c.context,
          source: c.source,
          local: c.local,
          upstream: c.upstream,
        })),
        request.upstreamCommit,
      );
      return {};
    },
    async discardPending(request, context) {
      requireService(context.caller);
      return {
        units: await discardPending(deps, requireId(request.componentId, 'component_id'), authorOf(context.caller)),
      };
    },
    async removeOldComments(request, context) {
      requireService(context.caller);
      const component = requireId(request.componentId, 'component_id');
      return { removed: await removeOldComments(deps, component, request.beforeMs) };
    },
    async removeOldSuggestions(request, context) {
      requireService(context.caller);
      const component = requireId(request.componentId, 'component_id');
      return { removed: await removeOldSuggestions(deps, component, request.beforeMs, request.maxVotes) };
    },
  };
}

async function knownComponent(deps: Deps, id: number, info: proto.ComponentInfo__Output | null) {
  const known = await deps.catalog.component(id, '');
  if (!known) throw new ServiceError('NOT_FOUND', { message: 'There is no such component.' });
  return info ? componentFromProto(info, known) : known;
}

/** A file that cannot be read is the caller's to know about, with its place. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FormatError) throw fieldErrors([{ attr: 'file', code: 'invalid', detail: error.describe() }]);
    throw error;
  }
}
