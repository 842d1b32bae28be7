import type { vcsWorker } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import type { CallContext, Implementation } from '@parlance/grpc-kit';
import type { FileAdmission } from '@parlance/workload';
import type { Deps } from '../app/deps';
import { prepareRepository, type PreparedRepository } from '../app/repository/prepare-repository';
import { mapGitErrors } from './git-errors';
import { receiveFile } from './receive-file';

const MAX_ARCHIVE_BYTES = 128 * 1024 * 1024;

const preparedToProto = (prepared: PreparedRepository) => ({
  taskId: prepared.task,
  branch: prepared.branch,
  files: prepared.files,
});

function prepare(
  deps: Deps,
  request: vcsWorker.PrepareRepositoryRequest__Output,
  archive: Buffer | null,
  context: CallContext,
): Promise<PreparedRepository> {
  if (context.caller.anonymous) throw new ServiceError('PERMISSION_DENIED');
  return mapGitErrors(() => prepareRepository(deps, request, archive, context.caller.userId, context.signal));
}

/** gRPC handlers that prepare the repositories of new components. */
export function prepareHandlers(
  deps: Deps,
  admission: FileAdmission,
): Pick<Implementation<'vcs-worker'>, 'prepareRepository' | 'prepareRepositoryFromFile'> {
  return {
    async prepareRepository(request, context) {
      return preparedToProto(
        await prepare(deps, request, request.archive.length > 0 ? request.archive : null, context),
      );
    },
    async prepareRepositoryFromFile(requests, context) {
      return receiveFile(
        admission,
        requests,
        context,
        MAX_ARCHIVE_BYTES,
        async (header: vcsWorker.PrepareRepositoryRequest__Output, bytes) => {
          if (bytes.length === 0)
            throw fieldErrors([
              {
                attr: header.archiveKind === 'zip' ? 'zipfile' : 'docfile',
                code: 'required',
                detail: 'The file is empty.',
              },
            ]);
          return preparedToProto(await prepare(deps, header, bytes, context));
        },
      );
    },
  };
}
