import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkedBranch, checkedHash } from './names';
import type { GitOptions, GitRepository } from './repository';
import { streamGit } from './stream';

/** One exchange with a git client that clones or fetches (gitprotocol-http, gitprotocol-pack, gitprotocol-v2). */
export interface UploadPackRequest {
  /** The commit that is shown as the branch's newest one. */
  head: string;
  branch: string;
  /** Version of the wire protocol. */
  protocol: 0 | 1 | 2;
  /** What the client sends; null: it asks which refs and abilities there are. */
  body: Buffer | null;
  signal?: AbortSignal;
}

/** Seconds for which a client may neither take nor send anything. */
const IDLE_SECONDS = 120;
/** Commits that a client may name at once; there is one branch, so it has reason to name one. */
const MAX_WANTS = 100;

const settings: readonly (readonly [string, string])[] = [
  // Several packs may be made at a time: none of them takes all processors or all memory.
  ['pack.threads', '1'],
  ['pack.windowMemory', '100m'],
];

/**
 * Answers a git client that reads a repository, in pieces and at the client's pace. It sees one branch with the history of one commit
 * and nothing else that lies among the objects: upload-pack runs on a view of its own, a folder with nothing but that ref on top
 * of the repository's objects. So nothing is written into the repository, and nobody who works in it has to wait.
 * @param folder where views are made; they are gone when the answer is over
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
      // What git does not let a client do it says in its answer, before it fails.
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

/** A packet of git's protocols: four digits of length, then the text. */
export function packet(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0'), 'latin1'), bytes]);
}

/**
 * The first object that a client asks for and that is no commit of the branch's history; null: there is none. In version 2 of the
 * protocol git gives every object whose name is known (gitprotocol-v2, fetch), also those that lie here from work that was given up.
 */
async function foreignWant(repository: GitRepository, head: string, body: Buffer): Promise<string | null> {
  const wants = [...new Set(wantedObjects(body))].filter((want) => want !== head);
  if (wants.length === 0) return null;
  if (wants.length > MAX_WANTS) return wants[MAX_WANTS]!;
  const { code, stdout } = await repository.run(
    ['rev-list', '--max-count=1', ...wants.map((want) => `${want}^{commit}`), `^${head}`],
    { answers: [128] },
  );
  return code === 0 && stdout.length === 0 ? null : wants[0]!;
}

/** Names in the lines `want <name>`. What is no packet is left to git, which refuses it. */
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
