import type { translation as proto } from '@parlance/contracts';
import { requireService, type CallContext } from '@parlance/grpc-kit';
import { isServiceError, ServiceError } from '@parlance/errors';
import type { FileAdmission, FileRoom } from '@parlance/workload';
import { currentComponent } from '../app/caches/current-component';
import { claimRepository, type ClaimRepositoryDeps } from '../app/import/claim-repository';
import type { Conflict } from '../app/import/conflicts';
import { ImportSession, type ImportDeps, type ImportFileResult, type ImportFile } from '../app/import/import-session';
import { authorFromProto, languageFromProto } from '../proto/common';
import { componentFromProto } from './mappers';
import { MAX_FILE_BYTES, senderOf } from './uploads';

const kinds: Record<string, ImportFile['kind']> = {
  IMPORT_FILE_KIND_TRANSLATION: 'translation',
  IMPORT_FILE_KIND_TEMPLATE: 'template',
  IMPORT_FILE_KIND_NEW_BASE: 'newBase',
  IMPORT_FILE_KIND_INTERMEDIATE: 'intermediate',
};

export function conflictToProto(c: Conflict): proto.Conflict {
  return {
    translationId: c.translation,
    unitId: c.unit,
    context: c.context,
    source: c.source,
    local: c.local,
    upstream: c.upstream,
  };
}

export type ImportStreamDeps = ImportDeps & ClaimRepositoryDeps;

function resultToProto(r: ImportFileResult): proto.ImportFileResult {
  return {
    path: r.path,
    translationId: r.translation,
    units: r.units,
    added: r.added,
    updated: r.updated,
    removed: r.removed,
    isNew: r.isNew === true,
    ...(r.error ? { error: r.error } : {}),
    conflicts: r.conflicts.map(conflictToProto),
  };
}

/** Runs an import from its stream of steps. @throws INVALID when the steps are out of order */
export async function* importFiles(
  deps: ImportStreamDeps,
  admission: FileAdmission,
  requests: AsyncIterable<proto.ImportFilesRequest__Output>,
  context: CallContext,
): AsyncGenerator<proto.ImportFilesResponse> {
  requireService(context.caller);
  let session: ImportSession | undefined;
  let file: Omit<ImportFile, 'bytes'> | undefined;
  let room: FileRoom | undefined;
  let tooLarge = false;
  try {
    for await (const request of requests) {
      if (request.begin) {
        if (session) throw new ServiceError('INVALID', { message: '"begin" must be sent only once.' });
        session = await beginSession(deps, request.begin, context.signal);
      } else if (!session) throw new ServiceError('INVALID', { message: '"begin" must be the first step.' });
      else if (request.fileBegin) {
        const begun = file ? null : fileFromProto(request.fileBegin);
        if (!begun)
          throw new ServiceError('INVALID', {
            message: '"file_begin" requires a kind and a language, and must follow the end of the previous file.',
          });
        file = begun;
        room = admission.room(MAX_FILE_BYTES, senderOf(context));
        tooLarge = false;
      } else if (request.step === 'chunk' && request.chunk) {
        if (!file || !room) throw new ServiceError('INVALID', { message: '"chunk" must follow "file_begin".' });
        if (!tooLarge) tooLarge = !(await buffer(room, request.chunk));
      } else if (request.fileEnd) {
        if (!file || !room) throw new ServiceError('INVALID', { message: '"file_end" must follow "file_begin".' });
        if (tooLarge) {
          const message = `The file must not be larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`;
          yield { file: resultToProto(session.rejectFile(file, message)) };
        } else yield { file: resultToProto(await session.file({ ...file, bytes: room.whole() })) };
        room.release();
        file = room = undefined;
      } else if (request.end) {
        const summary = await session.end();
        yield { summary: { units: summary.units, translations: summary.translations, errors: summary.problems } };
        return;
      }
    }
  } finally {
    room?.release();
  }
  throw new ServiceError('INVALID', { message: 'The last step must be "end".' });
}

/** Begins the import of a component's files. @throws NOT_FOUND */
async function beginSession(
  deps: ImportStreamDeps,
  begin: proto.ImportBegin__Output,
  signal: CallContext['signal'],
): Promise<ImportSession> {
  const info = begin.component;
  const known = info && (await currentComponent(deps.catalog, info.componentId));
  if (!info || !known) throw new ServiceError('NOT_FOUND', { message: 'The component does not exist.' });
  const { marks, repository, leaseToken } = begin;
  const component = { ...componentFromProto(info, known), ...(marks ? { importMarks: marks } : {}) };
  const lease = repository === '' ? null : { component: component.id, repository, token: leaseToken };
  const requireCurrent = await claimRepository(deps, lease, signal);
  return ImportSession.begin(deps, component, {
    author: authorFromProto(begin.author),
    complete: begin.complete,
    initial: begin.initial,
    upload: begin.upload,
    requireCurrent,
  });
}

/** Null: the kind or the language is missing. */
function fileFromProto(begin: proto.ImportFileBegin__Output): Omit<ImportFile, 'bytes'> | null {
  const kind = kinds[begin.kind];
  if (!kind || !begin.language) return null;
  return {
    path: begin.path,
    language: languageFromProto(begin.language),
    fileLanguageCode: begin.fileLanguageCode,
    revision: begin.revision,
    kind,
  };
}

/** Buffers a chunk of a file. @returns false: the file is too large; its buffer is released */
async function buffer(room: FileRoom, chunk: Buffer): Promise<boolean> {
  try {
    await room.add(chunk);
    return true;
  } catch (error) {
    if (!isServiceError(error, 'TOO_LARGE')) throw error;
    room.release();
    return false;
  }
}
