import { ServiceError } from '@parlance/errors';
import { chunks, requireId, type Implementation } from '@parlance/grpc-kit';
import { Downloader, type DownloadDeps } from '../../app/download-file';
import { uploadFile, type UploadFileDeps } from '../../app/upload/upload-file';
import { searchCallerOf } from '../search-caller';
import { MAX_FILE_BYTES, senderOf, type Admissions } from '../uploads';

export type FileMethod = 'downloadFile' | 'uploadFile';

export interface FileHandlerDeps extends DownloadDeps, UploadFileDeps {
  units: DownloadDeps['units'] & UploadFileDeps['units'];
  translations: DownloadDeps['translations'] & UploadFileDeps['translations'];
  files: DownloadDeps['files'] & UploadFileDeps['files'];
  repositoryFiles: DownloadDeps['repositoryFiles'] & UploadFileDeps['repositoryFiles'];
}

export function makeFileHandlers(
  deps: FileHandlerDeps,
  admissions: Admissions,
): Pick<Implementation<'translation'>, FileMethod> {
  const downloader = new Downloader(deps);
  return {
    async *downloadFile(request, context) {
      const file = await downloader.download(
        context.caller,
        { translation: requireId(request.translationId, 'translation_id'), format: request.format, q: request.q },
        context.catalogGeneration,
        searchCallerOf(context),
      );
      yield {
        header: {
          filename: file.filename,
          contentType: file.contentType,
          size: file.bytes.length,
          lastChangeMs: file.lastChange,
          etag: file.etag,
        },
      };
      for (const chunk of chunks(file.bytes)) yield { chunk };
    },
    async uploadFile(requests, context) {
      const sender = { ...senderOf(context), maxBytes: MAX_FILE_BYTES };
      return admissions.people.receive(
        requests,
        (message) => message.chunk,
        sender,
        async ({ first, bytes }) => {
          const header = first?.header;
          if (!header) throw new ServiceError('INVALID', { message: 'The first message must contain the header.' });
          return uploadFile(
            deps,
            context.caller,
            {
              translation: requireId(header.translationId, 'translation_id'),
              filename: header.filename,
              method: header.method,
              conflicts: header.conflicts,
              fuzzy: header.fuzzy,
              authorName: header.authorName,
              authorEmail: header.authorEmail,
              bytes,
              problems: context.problems,
            },
            context.catalogGeneration,
          );
        },
      );
    },
  };
}
