import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { gitEnvironment } from '../process/environment';
import { GitError } from '../errors';

export interface ObjectReaderOptions {
  /** Working folder of git. */
  home: string;
  gitDir: string;
  /** Timeout of one read, in milliseconds. */
  timeoutMs: number;
  /** Size limit of an object, in bytes. */
  maxObjectBytes: number;
}

export interface GitObject {
  hash: string;
  type: string;
  bytes: Buffer;
}

/**
 * Reads objects through one `git cat-file --batch` process, which starts with the first read. It finds objects that other processes write
 * in the meantime. Reads run in call order. The caller closes the reader.
 */
export class ObjectReader {
  private child: ChildProcessWithoutNullStreams | undefined;
  private output: AsyncIterator<Buffer> | undefined;
  private unread: Buffer = Buffer.alloc(0);
  private last: Promise<unknown> = Promise.resolve();
  private failure: GitError | undefined;

  constructor(private readonly options: ObjectReaderOptions) {}

  /**
   * @param name a hash, or `<tree or commit>:<path>`
   * @returns null for a missing object
   * @throws GitError timeout, too-large, failed; every later read fails in the same way
   */
  read(name: string): Promise<GitObject | null> {
    if (/[\n\0]/.test(name)) throw new GitError('refused', 'An object name must be one line.');
    const result = this.last.then(() => this.readNext(name));
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Ends the process; idempotent. */
  async close(): Promise<void> {
    const { child } = this;
    this.abort(new GitError('aborted', 'The reader is closed.'));
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  private async readNext(name: string): Promise<GitObject | null> {
    if (this.failure) throw this.failure;
    const { timeoutMs, maxObjectBytes } = this.options;
    const timer = setTimeout(
      () =>
        this.abort(new GitError('timeout', `Reading an object took longer than ${Math.round(timeoutMs / 1000)} s.`)),
      timeoutMs,
    );
    try {
      this.start().stdin.write(`${name}\n`);
      const header = await this.line();
      const match = /^([0-9a-f]{40}) (\w+) (\d+)$/.exec(header);
      if (!match) return null;
      const size = Number(match[3]);
      if (size > maxObjectBytes)
        throw this.abort(new GitError('too-large', `The object is larger than ${maxObjectBytes} bytes.`));
      const bytes = await this.take(size + 1);
      return { hash: match[1]!, type: match[2]!, bytes: bytes.subarray(0, size) };
    } finally {
      clearTimeout(timer);
    }
  }

  private start(): ChildProcessWithoutNullStreams {
    if (this.child) return this.child;
    const { home, gitDir } = this.options;
    const child = spawn('git', ['cat-file', '--batch'], { cwd: home, env: gitEnvironment(home, { gitDir }) });
    child.once('error', (error) => this.abort(new GitError('failed', String(error), { cause: error })));
    child.stdin.on('error', () => undefined);
    child.stderr.resume();
    this.output = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    return (this.child = child);
  }

  private abort(error: GitError): GitError {
    this.failure ??= error;
    this.child?.kill('SIGKILL');
    this.child?.stdout.destroy();
    return this.failure;
  }

  private async line(): Promise<string> {
    let end: number;
    while ((end = this.unread.indexOf(10)) < 0) this.unread = Buffer.concat([this.unread, await this.chunk()]);
    const text = this.unread.toString('utf8', 0, end);
    this.unread = this.unread.subarray(end + 1);
    return text;
  }

  private async take(size: number): Promise<Buffer> {
    const chunks = [this.unread];
    let received = this.unread.length;
    while (received < size) {
      const chunk = await this.chunk();
      chunks.push(chunk);
      received += chunk.length;
    }
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    this.unread = all.subarray(size);
    return all.subarray(0, size);
  }

  private async chunk(): Promise<Buffer> {
    const { done, value } = await this.output!.next();
    if (done) throw this.abort(new GitError('failed', 'git cat-file ended unexpectedly.'));
    return value;
  }
}
