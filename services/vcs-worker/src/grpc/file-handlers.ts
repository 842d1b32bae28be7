import type { vcsWorker } from '@parlance/contracts';
import { chunks, requireId, type Implementation } from '@parlance/grpc-kit';
import type { FileAdmission } from '@parlance/workload';
import type { Deps } from '../app/deps';
import { addLanguage, removeLanguage } from '../app/files/languages';
import { readComponentFile } from '../app/files/read-file';
import { replaceFile } from '../app/files/replace-file';
import { mapGitErrors } from './git-errors';
import { receiveFile } from './receive-file';

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** gRPC handlers of the files in repositories. */
export function fileHandlers(
  deps: Deps,
  admission: FileAdmission,
): Pick<Implementation<'vcs-worker'>, 'readFile' | 'replaceFile' | 'addLanguage' | 'removeLanguage'> {
  return {
    async *readFile({ componentId, path, knownRevision }, context) {
      const id = requireId(componentId, 'component_id');
      const file = await mapGitErrors(() => readComponentFile(deps, context.caller, id, path));
      let revision = file.hash;
      const hasChunks = file.bytes.length > 0 && revision !== knownRevision;
      for (const chunk of hasChunks ? chunks(file.bytes) : [Buffer.alloc(0)]) {
        yield { chunk, revision };
        revision = '';
      }
    },
    async replaceFile(requests, context) {
      return receiveFile(
        admission,
        requests,
        context,
        MAX_FILE_BYTES,
        (header: vcsWorker.ReplaceFileHeader__Output, bytes) =>
          mapGitErrors(() =>
            replaceFile(deps, context.caller, {
              component: requireId(header.componentId, 'component_id'),
              path: header.path,
              bytes,
              message: header.message,
              author: header.author,
              updateTranslations: header.updateTranslations,
            }),
          ),
      );
    },
    async addLanguage(request, context) {
      return {
        translationId: await mapGitErrors(() =>
          addLanguage(deps, context.caller, requireId(request.componentId, 'component_id'), request.languageCode),
        ),
      };
    },
    async removeLanguage(request, context) {
      await mapGitErrors(() =>
        removeLanguage(
          deps,
          context.caller,
          requireId(request.componentId, 'component_id'),
          requireId(request.translationId, 'translation_id'),
        ),
      );
      return {};
    },
  };
}
