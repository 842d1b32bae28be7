import { isRepositoryPath, type FileChange, type GitRepository } from '@parlance/git';
import { describeObstacle } from '../files/path-obstacle';

/** Files of a commit with staged changes. */
export class StagedFiles {
  private readonly staged = new Map<string, Buffer | null>();
  private uncommitted = new Set<string>();

  constructor(
    private readonly git: Pick<GitRepository, 'readFile' | 'listFiles' | 'findObstacle'>,
    private readonly head: string,
  ) {}

  /** Null if the file does not exist. */
  async read(path: string): Promise<Buffer | null> {
    const staged = this.staged.get(path);
    if (staged !== undefined) return staged;
    return isRepositoryPath(path) ? ((await this.git.readFile(this.head, path))?.bytes ?? null) : null;
  }

  /** Null deletes the file. Writing equal bytes is not a change. */
  async write(path: string, bytes: Buffer | null): Promise<void> {
    if (!isRepositoryPath(path)) throw new Error(`not a path in a repository: ${path.slice(0, 200)}`);
    const now = await this.read(path);
    if (bytes === null ? now === null : now?.equals(bytes)) return;
    this.staged.set(path, bytes);
    this.uncommitted.add(path);
  }

  /** Reason why a file cannot be written at a path; null if it can. */
  async findObstacle(path: string): Promise<string | null> {
    return this.staged.get(path) ? null : describeObstacle(this.git, this.head, path);
  }

  /** Rewrites an existing file. */
  async change(path: string, rewrite: (bytes: Buffer) => Buffer): Promise<void> {
    const bytes = await this.read(path);
    if (bytes) await this.write(path, rewrite(bytes));
  }

  /** Paths of all files. */
  async list(): Promise<string[]> {
    const paths = new Set((await this.git.listFiles(this.head)).map((entry) => entry.path));
    for (const [path, bytes] of this.staged) {
      if (bytes === null) paths.delete(path);
      else paths.add(path);
    }
    return [...paths];
  }

  /** Changes since the last call, for a commit. */
  takeChanges(): FileChange[] {
    const changes = [...this.uncommitted].map((path) => ({ path, bytes: this.staged.get(path) ?? null }));
    this.uncommitted = new Set();
    return changes;
  }
}
