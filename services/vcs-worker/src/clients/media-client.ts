import { chunks, type CallOptions, type Client } from '@parlance/grpc-kit';
import type { MediaClient } from '../domain/ports';

/** Includes validating an image. In milliseconds. */
const TIMEOUT_MS = 60_000;
const PAGE = 1_000;

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The media service over gRPC. */
export function makeMediaClient(client: Client<'media'>, callerToken: () => string): MediaClient {
  const callOptions = (): CallOptions => ({ as: callerToken(), timeoutMs: TIMEOUT_MS });
  return {
    async ofComponent(component) {
      const found = new Map<string, number>();
      for (let page = 1; ; page++) {
        const { screenshots } = await client.listScreenshots(
          { componentId: component, page: { page, pageSize: PAGE } },
          callOptions(),
        );
        for (const { repositoryFilename, id } of screenshots)
          if (repositoryFilename !== '') found.set(repositoryFilename, id);
        if (screenshots.length < PAGE) return found;
      }
    },
    async create(translation, name, path, bytes) {
      const { componentId, id } = translation;
      const header = {
        name,
        componentId,
        translationId: id,
        filename: fileName(path),
        repositoryFilename: path,
      };
      const send = async function* () {
        yield { header };
        for (const chunk of chunks(bytes)) yield { chunk };
      };
      await client.createScreenshot(send(), callOptions());
    },
    async replace(id, path, bytes) {
      const send = async function* () {
        yield { header: { id, filename: fileName(path) } };
        for (const chunk of chunks(bytes)) yield { chunk };
      };
      await client.replaceImage(send(), callOptions());
    },
  };
}
