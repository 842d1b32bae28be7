import type { media } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import type { RunningServer } from '@parlance/grpc-kit';
import { standIn } from './stand-in';

/** The media service: stores images. Bytes that begin with `no` are an invalid image. */
export class MediaStandIn {
  readonly screenshots: (media.CreateScreenshotHeader__Output & { id: number; bytes: string })[] = [];
  private server!: RunningServer;

  get port(): number {
    return this.server.port;
  }

  async start(): Promise<void> {
    const { screenshots } = this;
    this.server = await standIn('media', {
      async listScreenshots({ componentId }) {
        return { screenshots: screenshots.filter((shot) => shot.componentId === componentId) };
      },
      async createScreenshot(requests) {
        const { header, bytes } = await received<media.CreateScreenshotHeader__Output>(requests);
        screenshots.push({ ...header!, id: screenshots.length + 1, bytes });
        return {};
      },
      async replaceImage(requests) {
        const { header, bytes } = await received<media.ReplaceImageHeader__Output>(requests);
        screenshots[header!.id - 1]!.bytes = bytes;
        return {};
      },
    });
  }

  stop(): Promise<void> {
    return this.server.drain(100);
  }
}

async function received<H>(
  requests: AsyncIterable<{ header: H | null; chunk: Buffer }>,
): Promise<{ header: H | null; bytes: string }> {
  let header: H | null = null;
  let bytes = '';
  for await (const message of requests) {
    header ??= message.header;
    bytes += message.chunk.toString();
  }
  if (bytes.startsWith('no'))
    throw fieldErrors([{ attr: 'image', code: 'invalid_image', detail: 'This is no image.' }]);
  return { header, bytes };
}
