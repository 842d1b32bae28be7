import type { vcsWorker as proto } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { chunks, type Client } from '@parlance/grpc-kit';
import type { FileReplacement, RepositoryFile, RepositoryFiles } from '../domain/ports';
import { authorToProto } from '../proto/common';

const READ_TIMEOUT_MS = 60_000;
/** Replacing a file includes its commit and import. */
const REPLACE_TIMEOUT_MS = 280_000;

/** Repository files, accessed through vcs-worker. */
export class RepositoryFilesClient implements RepositoryFiles {
  constructor(
    private readonly vcsWorker: Client<'vcs-worker'>,
    private readonly callerToken: () => string,
  ) {}

  async readFile(component: number, path: string, known?: RepositoryFile): Promise<RepositoryFile | null> {
    const parts: Buffer[] = [];
    let revision = '';
    try {
      const options = { as: this.callerToken(), timeoutMs: READ_TIMEOUT_MS };
      const request = { componentId: component, path, knownRevision: known?.revision ?? '' };
      for await (const message of this.vcsWorker.readFile(request, options)) {
        revision ||= message.revision;
        parts.push(message.chunk);
      }
    } catch (error) {
      if (isServiceError(error, 'NOT_FOUND')) return null;
      throw error;
    }
    const bytes = Buffer.concat(parts);
    // Earlier versions of vcs-worker send the bytes again.
    return known?.revision === revision && bytes.length === 0 ? known : { bytes, revision };
  }

  async replaceFile({ component, path, bytes, author, updateTranslations }: FileReplacement): Promise<void> {
    async function* messages(): AsyncGenerator<proto.ReplaceFileRequest> {
      yield { header: { componentId: component, path, author: authorToProto(author), updateTranslations } };
      for (const chunk of chunks(bytes)) yield { chunk };
    }
    await this.vcsWorker.replaceFile(messages(), { as: this.callerToken(), timeoutMs: REPLACE_TIMEOUT_MS });
  }
}
