import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GitError,
  GitRepository,
  isGitError,
  uploadPack,
  type GitOptions,
  type UploadPackRequest,
} from '@parlance/git';
import { countLookup, logger } from '@parlance/telemetry';
import type { CommitStore, Repository } from '../../domain/repository';

const SUFFIX = '.git';
/** File in a clone: the `cloneNumber` of its repository when it was made; absent for 0. */
const NUMBER_FILE = 'parlance-clone-number';

/** The clones on this worker's disk. Missing ones are restored from the remote and the saved commits. */
export class Clones {
  private readonly opening = new Map<string, Promise<GitRepository>>();
  private readonly folder: string;
  /** Folders that git clients are served from. */
  private readonly views: string;

  private constructor(
    private readonly options: GitOptions,
    private readonly commits: Pick<CommitStore, 'load'>,
    dataDir: string,
  ) {
    this.folder = join(dataDir, 'repositories');
    this.views = join(dataDir, 'views');
  }

  static async at(
    dataDir: string,
    options: Omit<GitOptions, 'home'>,
    commits: Pick<CommitStore, 'load'>,
  ): Promise<Clones> {
    const home = join(dataDir, 'home');
    const clones = new Clones({ ...options, home }, commits, dataDir);
    // No client is served yet, so leftovers are from a crash.
    await rm(clones.views, { recursive: true, force: true });
    await clones.makeFolders();
    return clones;
  }

  private async makeFolders(): Promise<void> {
    for (const folder of [this.folder, this.options.home]) await mkdir(folder, { recursive: true, mode: 0o700 });
  }

  get policy(): GitOptions['policy'] {
    return this.options.policy;
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}${SUFFIX}`);
  }

  /** Creates an empty repository under its id. */
  async create(id: string): Promise<GitRepository> {
    await this.makeFolders();
    return GitRepository.create(this.pathOf(id), this.options);
  }

  /**
   * Opens a clone that contains the current commit. If it is missing, it is fetched, and the unpushed commits are restored from the store.
   * @param url returns the remote's address; called only if a fetch is needed
   * @throws GitError incomplete if the current commit is lost: it was pushed, and the remote deleted it
   */
  async open(repository: Repository, url: () => Promise<string>, signal?: AbortSignal): Promise<GitRepository> {
    const before = this.opening.get(repository.id);
    if (before) {
      await before.catch(() => undefined);
      return this.open(repository, url, signal);
    }
    const work = this.restore(repository, url, signal).finally(() => this.opening.delete(repository.id));
    this.opening.set(repository.id, work);
    return work;
  }

  private async restore(
    repository: Repository,
    url: () => Promise<string>,
    signal: AbortSignal | undefined,
  ): Promise<GitRepository> {
    const { head } = repository;
    await this.makeFolders();
    const known = await this.openCurrent(repository);
    const isUsable = known !== null && (head === null || (await this.hasIntactCommit(known, head)));
    const usable = countLookup('clones', isUsable ? known : undefined);
    if (usable) return usable;
    logger.info({ repository: repository.id }, 'the clone is missing; restoring it');
    // A damaged clone has been removed.
    const git = (await this.openCurrent(repository)) ?? (await this.create(repository.id));
    if (repository.vcs !== 'local') await git.fetch(await url(), repository.branch, signal);
    for (const saved of repository.saved) await git.restoreBundle(await this.commits.load(saved.id), saved.head);
    if (head !== null && !(await git.hasCommit(head)))
      throw new GitError('incomplete', 'The remote has given up the commits that were current here.');
    if (repository.cloneNumber) await writeFile(join(git.folder, NUMBER_FILE), String(repository.cloneNumber));
    return git;
  }

  /** Opens a clone; drops it if a new one was requested since it was made. */
  private async openCurrent({ id, cloneNumber = 0 }: Repository): Promise<GitRepository | null> {
    const known = await GitRepository.open(this.pathOf(id), this.options);
    if (!known || cloneNumber === 0) return known;
    const made = Number(await readFile(join(known.folder, NUMBER_FILE), 'utf8').catch(() => '0'));
    if (made >= cloneNumber) return known;
    await known.remove();
    return null;
  }

  /** Removes a damaged clone. */
  private async hasIntactCommit(git: GitRepository, head: string): Promise<boolean> {
    try {
      return await git.hasCommit(head);
    } catch (error) {
      if (!isGitError(error) || error.problem === 'aborted') throw error;
      await git.remove();
      return false;
    }
  }

  /** Serves a git client that reads a clone. @throws GitError */
  serve(git: GitRepository, request: UploadPackRequest): AsyncGenerator<Buffer> {
    return uploadPack(git, this.options, this.views, request);
  }

  /** Number of loose objects of a clone; 0 if it is not on this disk. */
  async looseObjects(id: string): Promise<number> {
    return (await (await GitRepository.open(this.pathOf(id), this.options))?.looseObjects()) ?? 0;
  }

  async drop(id: string): Promise<void> {
    await rm(this.pathOf(id), { recursive: true, force: true });
  }

  /** Ids of the repositories on this disk. */
  async list(): Promise<string[]> {
    const entries = await readdir(this.folder).catch(() => []);
    return entries.filter((entry) => entry.endsWith(SUFFIX)).map((entry) => entry.slice(0, -SUFFIX.length));
  }
}
