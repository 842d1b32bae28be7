import type { translation as proto } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { chunks, type CallOptions, type Client } from '@parlance/grpc-kit';
import { componentInfo, type Component } from '../domain/component';
import type { CommittedFile, PendingCommits, PendingGroup, RenderedFile } from '../domain/ports';

/** Messages that are sent one at a time, as they are pushed. */
class MessageQueue<T> implements AsyncIterable<T> {
  private readonly messages: T[] = [];
  private ended = false;
  private wake: () => void = () => undefined;

  push(message: T): void {
    this.messages.push(message);
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.messages.length > 0) yield this.messages.shift()!;
      if (this.ended) return;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

/** A commit operation as a stream: the translation service reads the pending edits once, at the start of the stream. */
class PendingStream implements PendingCommits {
  private readonly requests = new MessageQueue<proto.CommitPendingRequest>();
  private readonly answers: AsyncIterator<proto.CommitPendingResponse__Output>;
  groups: PendingGroup[] = [];

  constructor(client: Client<'translation'>, options: CallOptions) {
    this.answers = client.commitPending(this.requests, options)[Symbol.asyncIterator]();
  }

  async begin(component: Component): Promise<this> {
    this.requests.push({ begin: { componentId: component.settings.id, component: componentInfo(component) } });
    this.groups = (await this.next()).pending?.groups ?? [];
    return this;
  }

  render(group: PendingGroup, bytes: Buffer): Promise<RenderedFile> {
    return this.send(group, bytes, false);
  }

  async renderIntermediate(group: PendingGroup, bytes: Buffer): Promise<Buffer> {
    return (await this.send(group, bytes, true)).bytes;
  }

  async markCommitted(files: readonly CommittedFile[]): Promise<void> {
    if (files.length === 0) return;
    this.requests.push({ commits: files.map((file) => ({ ...file, editIds: [...file.editIds] })) });
    await this.next();
  }

  /** Waits until the service has ended the stream, too: a cancelled call would count as failed. */
  async close(): Promise<void> {
    this.requests.end();
    try {
      while (!(await this.answers.next()).done);
    } catch {
      // The operation has all answers that it waited for.
    }
  }

  private async send(group: PendingGroup, bytes: Buffer, intermediate: boolean): Promise<RenderedFile> {
    this.requests.push({ file: { group: this.groups.indexOf(group), intermediate } });
    for (const chunk of chunks(bytes)) this.requests.push({ chunk });
    this.requests.push({ endOfFile: true });
    let result: proto.RenderResult__Output | null = null;
    const parts: Buffer[] = [];
    for (;;) {
      const answer = await this.next();
      if (answer.error) throw new ServiceError('INVALID', { message: answer.error });
      result ??= answer.result;
      if (answer.chunk.length > 0) parts.push(answer.chunk);
      if (!answer.endOfFile) continue;
      if (!result) throw noAnswer();
      const { editIds, skippedUnitIds, changed } = result;
      return { bytes: Buffer.concat(parts), editIds, skipped: skippedUnitIds.length, changed };
    }
  }

  private async next(): Promise<proto.CommitPendingResponse__Output> {
    const { done, value } = await this.answers.next();
    if (done) throw noAnswer();
    return value;
  }
}

const noAnswer = (): ServiceError =>
  new ServiceError('INTERNAL', { message: 'The translation service ended the commit stream early.' });

/** Starts a commit operation; the caller closes it. */
export async function openPendingCommits(
  client: Client<'translation'>,
  component: Component,
  options: CallOptions,
): Promise<PendingCommits> {
  const stream = new PendingStream(client, options);
  try {
    return await stream.begin(component);
  } catch (error) {
    await stream.close();
    throw error;
  }
}
