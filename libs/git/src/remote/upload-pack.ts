import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkedBranch, checkedHash } from '../names';
import type { GitOptions } from '../options';
import type { GitRepository } from '../repository';
import { streamGit } from '../process/stream';

/** One exchange with a git client that clones or fetches (gitprotocol-http, gitprotocol-pack, gitprotocol-v2). */
export interface UploadPackRequest {
  /** Commit that is advertised as the head of the branch. */
  head: string;
  branch: string;
  /** Version of the wire protocol. */
  protocol: 0 | 1 | 2;
  /** Request body; null: the client requests refs and capabilities. */
  body: Buffer | null;
  signal?: AbortSignal;
}

/** Idle timeout of a client, in seconds. */
const IDLE_SECONDS = 120;
/** Maximum number of wanted commits. There is one branch, so clients normally want one. */
const MAX_WANTS = 100;

const settings: readonly (readonly [string, string])[] = [
  // Concurrent packs must not use all processors or all memory.
  ['pack.threads', '1'],
  ['pack.windowMemory', '100m'],
];

/**
 * Serves a git client that clones or fetches, with backpressure. The client sees one branch with the history of one commit and no other
 * objects. upload-pack runs on a view: a folder with only that ref on top of the repository's objects. The repository is not modified, so
 * no lock is needed.
 * @param folder folder for views; each view is deleted at the end of its response
 * @throws GitError
 */
export async function* uploadPack(
  repository: GitRepository,
  options: Pick<GitOptions, 'home' | 'networkTimeoutMs'>,
  folder: string,
  request: UploadPackRequest,
): AsyncGenerator<Buffer> {
  const { head, protocol, body, signal } = request;
  if (body !== null) {
    const foreign = await foreignWant(repository, checkedHash(head), body);
    if (foreign !== null) {
      yield packet(`ERR upload-pack: not our ref ${foreign}`);
      return;
    }
  }
  const view = join(folder, randomUUID());
  try {
    await makeView(view, head, request.branch);
    let begun: Buffer | undefined;
    try {
      for await (const chunk of streamGit({
        home: options.home,
        objectDir: join(repository.folder, 'objects'),
        gitProtocol: `version=${protocol}`,
        settings,
        args: [
          'upload-pack',
          '--strict',
          '--stateless-rpc',
          `--timeout=${IDLE_SECONDS}`,
          ...(body === null ? ['--http-backend-info-refs'] : []),
          '--',
          view,
        ],
        ...(body === null ? {} : { input: body }),
        ...(signal ? { signal } : {}),
        timeoutMs: options.networkTimeoutMs,
      })) {
        begun ??= chunk.subarray(0, 8);
        yield chunk;
      }
    } catch (error) {
      // Git reports forbidden requests in its response before it fails.
      if (begun?.toString('latin1', 4) !== 'ERR ') throw error;
    }
  } finally {
    await rm(view, { recursive: true, force: true });
  }
}

async function makeView(view: string, head: string, branch: string): Promise<void> {
  const ref = `refs/heads/${checkedBranch(branch)}`;
  await mkdir(join(view, 'refs'), { recursive: true, mode: 0o700 });
  await writeFile(join(view, 'HEAD'), `ref: ${ref}\n`);
  await writeFile(join(view, 'packed-refs'), `${checkedHash(head)} ${ref}\n`);
}

/** A pkt-line of git's protocols: four hexadecimal digits of length, then the text. */
export function packet(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0'), 'latin1'), bytes]);
}

/**
 * The first wanted object that is not a commit in the branch's history, or null. In protocol version 2, git serves every object whose name
 * is known (gitprotocol-v2, fetch), including objects of abandoned work.
 */
async function foreignWant(repository: GitRepository, head: string, body: Buffer): Promise<string | null> {
  const wants = [...new Set(wantedObjects(body))].filter((want) => want !== head);
  if (wants.length === 0) return null;
  if (wants.length > MAX_WANTS) return wants[MAX_WANTS]!;
  const { code, stdout } = await repository.run(
    ['rev-list', '--max-count=1', ...wants.map((want) => `${want}^{commit}`), `^${head}`],
    { allowedExitCodes: [128] },
  );
  return code === 0 && stdout.length === 0 ? null : wants[0]!;
}

/** Names in the lines `want <name>`. Git rejects malformed packets. */
function* wantedObjects(body: Buffer): Generator<string> {
  for (let at = 0; at + 4 <= body.length;) {
    const digits = body.toString('latin1', at, at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits)) return;
    const length = parseInt(digits, 16);
    const want = /^want ([0-9a-f]{40})\b/i.exec(body.toString('latin1', at + 4, Math.min(at + length, at + 60)));
    if (want) yield want[1]!.toLowerCase();
    at += Math.max(4, length);
  }
}
