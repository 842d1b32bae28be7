import type { translation as proto } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { chunks, requireId, type CallContext, type Implementation, requireService } from '@parlance/grpc-kit';
import type { FileAdmission } from '@parlance/workload';
import type { FileWorkerPool } from '../../app/files/file-worker-pool';
import { recordConflicts, type RecordConflictsDeps } from '../../app/import/conflicts';
import { removeOldComments, removeOldSuggestions, type RemoveRemarksDeps } from '../../app/remove-old-remarks';
import type { Catalog, TranslationReader } from '../../domain/ports';
import { conflictToProto, importFiles, type ImportStreamDeps } from '../import-stream';
import { knownComponent, withFieldErrors } from '../repository-files';
import { MAX_FILE_BYTES, senderOf, type Admissions } from '../uploads';

export type RepositoryMethod =
  'importFiles' | 'mergeFile' | 'recordConflicts' | 'removeOldComments' | 'removeOldSuggestions';

export interface RepositoryHandlerDeps extends ImportStreamDeps, RecordConflictsDeps, RemoveRemarksDeps {
  announcer: ImportStreamDeps['announcer'];
  changes: ImportStreamDeps['changes'];
  units: ImportStreamDeps['units'] & RecordConflictsDeps['units'];
  translations: ImportStreamDeps['translations'];
  suggestions: ImportStreamDeps['suggestions'];
  comments: RemoveRemarksDeps['comments'];
  effects: ImportStreamDeps['effects'];
  files: Pick<FileWorkerPool, 'parse' | 'merge'>;
}

/** Methods about the files of a component's repository. For services only. */
export function makeRepositoryHandlers(
  deps: RepositoryHandlerDeps,
  { processes }: Admissions,
): Pick<Implementation<'translation'>, RepositoryMethod> {
  return {
    importFiles: (requests, context) => importFiles(deps, processes, requests, context),
    mergeFile: (requests, context) => mergeFile(deps, processes, requests, context),
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

interface MergeFileDeps {
  translations: Pick<TranslationReader, 'get'>;
  catalog: Catalog;
  files: Pick<FileWorkerPool, 'merge'>;
}

async function* mergeFile(
  deps: MergeFileDeps,
  processes: FileAdmission,
  requests: AsyncIterable<proto.MergeFileRequest__Output>,
  context: CallContext,
): AsyncGenerator<proto.MergeFileResponse> {
  requireService(context.caller);
  // Reserving memory for the three versions one by one could deadlock with other merges.
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
      throw new ServiceError('NOT_FOUND', { message: 'A merge requires an existing translation and three versions.' });
    const component = await knownComponent(deps, translation.component, header.component);
    const bytes = room.whole();
    const [base, local, upstream] = ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    const merged = await withFieldErrors(() => deps.files.merge({ component, translation, base, local, upstream }));
    yield { result: { conflicts: merged.conflicts.map(conflictToProto) } };
    for (const chunk of chunks(merged.bytes)) yield { chunk };
  } finally {
    room.release();
  }
}
