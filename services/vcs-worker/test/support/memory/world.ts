import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller, Permission } from '@parlance/access';
import type { catalog } from '@parlance/contracts';
import type { ServiceError } from '@parlance/errors';
import type { GitRepository } from '@parlance/git';
import { GitRemote, type Files } from '@parlance/testing';
import { LRUCache } from 'lru-cache';
import type { Deps } from '../../../src/app/deps';
import { FileProcessor } from '../../../src/app/files/file-processor';
import { Clones } from '../../../src/app/repository/clones';
import { RepositoryQueue, type Session } from '../../../src/app/repository/repository-queue';
import type { RepositoryWork } from '../../../src/app/repository/repository-work';
import { withRepository } from '../../../src/app/repository/with-repository';
import { Semaphore } from '../../../src/app/semaphore';
import type { StoredAddon } from '../../../src/domain/addon';
import type { Component } from '../../../src/domain/component';
import type { CatalogClient, MediaClient } from '../../../src/domain/ports';
import { newRepository, type Repository } from '../../../src/domain/repository';
import { language, languageObject } from '../languages';
import { MemoryComponentIndex } from './component-index';
import { Effects } from './effects';
import { MemoryCommitStore, MemoryRepositoryStore, MemoryWorkerStore } from './repository-store';
import { MemoryTaskStore } from './task-store';
import { MemoryTranslations } from './translations';

export { fieldsOf, reasonOf } from '@parlance/testing';

const ssh = { knownHostsFile: '' };

/** A PO file with the given texts. Comments keep the strings far enough apart for git to merge neighbouring changes. */
export const po = (texts: Record<string, string>): string =>
  [
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Language: cs\\n"\n',
    ...Object.entries(texts).map(([source, target]) => `#. 1\n#. 2\n#. 3\nmsgid "${source}"\nmsgstr "${target}"\n`),
  ].join('\n');

/** A user with permissions on project 1. */
export const userWith = (...permissions: Permission[]): Caller => ({
  userId: 7,
  username: 'ann',
  fullName: 'Ann',
  email: 'ann@example.com',
  isSuperuser: false,
  isBot: false,
  anonymous: false,
  grants: permissions.length === 0 ? [] : [{ permissions, projects: [1] }],
});

/** A component with the settings that the use cases read. */
export function componentOf(
  id: number,
  settings: Partial<catalog.Component__Output> = {},
  project: Partial<catalog.Project__Output> = {},
): Component {
  return {
    settings: {
      id,
      projectId: 1,
      projectSlug: 'hello',
      path: `c${id}`,
      slug: `c${id}`,
      name: `Component ${id}`,
      vcs: 'git',
      repo: 'file:///nowhere',
      push: '',
      branch: 'main',
      pushBranch: '',
      filemask: 'po/*.po',
      languageRegex: '^[^.]+$',
      fileFormat: 'po',
      fileFormatParamsJson: '{}',
      template: '',
      newBase: '',
      intermediate: '',
      screenshotFilemask: '',
      languageCodeStyle: '',
      mergeStyle: 'rebase',
      newLang: 'add',
      autoLockError: true,
      locked: false,
      lockReason: '',
      linkedComponentId: 0,
      linkedProjectId: 0,
      pushOnCommit: false,
      commitPendingAge: 24,
      isGlossary: false,
      restricted: false,
      sourceLanguageCode: 'en',
      commitMessage: 'Translate {{ language_code }}',
      addMessage: 'Add {{ language_code }}',
      deleteMessage: 'Remove {{ language_code }}',
      addonMessage: 'Update by {{ addon_name }}',
      mergeMessage: 'Merge',
      ...settings,
    },
    project: {
      id: 1,
      slug: 'hello',
      name: 'Hello',
      accessControl: 0,
      commitPolicy: 0,
      enforced_2fa: false,
      ...project,
    },
    sourceLanguage: languageObject('en'),
  } as unknown as Component;
}

/** The catalog in memory. */
export class MemoryCatalog implements CatalogClient {
  readonly stored = new Map<number, Component>();
  readonly installed: StoredAddon[] = [];
  /** Ids of the labels of every project, by name. */
  readonly projectLabels = new Map<string, number>();
  readonly created: catalog.ComponentInput[] = [];
  /** Why the next components cannot be created, in order. */
  readonly rejections: ServiceError[] = [];

  constructor(private readonly effects: Effects) {}

  async component(id: number): Promise<Component | null> {
    return this.stored.get(id) ?? null;
  }
  async components(ids: readonly number[]): Promise<Component[]> {
    return ids.flatMap((id) => this.stored.get(id) ?? []);
  }
  async visible(): Promise<boolean> {
    return true;
  }
  async resolve(_project: number, codes: readonly string[]) {
    return codes.map(language);
  }
  async language(code: string) {
    return /^[a-z]{2}$/.test(code) ? { ...languageObject(code), inUse: true, version: 1 } : null;
  }
  async addons(): Promise<StoredAddon[]> {
    return this.installed;
  }
  async labels(): Promise<Map<string, number>> {
    return this.projectLabels;
  }
  async addonsNamed(name: string): Promise<StoredAddon[]> {
    return this.installed.filter((addon) => addon.name === name);
  }
  async installAddon(component: number, name: string): Promise<void> {
    this.effects.add(`install ${name} on ${component}`);
  }
  async createComponent(_project: number, input: catalog.ComponentInput): Promise<number> {
    this.created.push(input);
    const rejection = this.rejections.shift();
    if (rejection) throw rejection;
    return 1_000 + this.created.length;
  }
  async deleteComponent(id: number): Promise<void> {
    this.effects.add(`delete component ${id}`);
  }
  async setTask(): Promise<void> {}
}

/** The media service without screenshots. */
const media: MediaClient = {
  ofComponent: async () => new Map(),
  create: async () => undefined,
  replace: async () => undefined,
};

/** Use cases of the vcs-worker on stores in memory and real git repositories in a temporary folder. */
export class UseCaseWorld {
  readonly effects = new Effects();
  readonly repositories = new MemoryRepositoryStore(this.effects);
  readonly workers = new MemoryWorkerStore();
  readonly commits = new MemoryCommitStore(this.effects);
  readonly index = new MemoryComponentIndex();
  readonly tasks = new MemoryTaskStore();
  readonly translations = new MemoryTranslations(this.effects);
  readonly catalog = new MemoryCatalog(this.effects);
  readonly log: string[] = [];
  woken = 0;
  isPaused = false;
  remote!: GitRemote;
  deps!: Deps;
  private readonly folder = mkdtempSync(join(tmpdir(), 'parlance-use-cases-'));
  private readonly files = new FileProcessor({ threads: 1, memoryMb: 64 });

  static async start(files: Files = {}): Promise<UseCaseWorld> {
    const world = new UseCaseWorld();
    world.remote = new GitRemote();
    world.remote.commit(files);
    await world.compose();
    return world;
  }

  /** A world for use cases that read no repository. */
  static async withoutRemote(): Promise<UseCaseWorld> {
    const world = new UseCaseWorld();
    await world.compose();
    return world;
  }

  private async compose(): Promise<void> {
    const { repositories, commits, index, tasks, translations, catalog: catalogClient } = this;
    const options = {
      policy: { allowPrivate: true },
      ssh,
      networkTimeoutMs: 20_000,
      localTimeoutMs: 20_000,
      maxRepositoryBytes: 50_000_000,
    };
    this.deps = {
      repositories,
      commits,
      index,
      tasks,
      translations,
      catalog: catalogClient,
      media,
      clones: await Clones.at(this.folder, options, commits),
      queue: new RepositoryQueue(repositories, this.workers, 'me', 60_000, async () => undefined),
      readFiles: new LRUCache<string, { bytes: Buffer; hash: string }>({ max: 10 }),
      files: this.files,
      serveSemaphore: new Semaphore(1),
      site: { url: 'https://example.org/', title: 'Site' },
      committer: () => ({ name: 'Parlance', email: 'parlance@example.org', timeMs: Date.UTC(2026, 0, 1) }),
      paused: async () => this.isPaused,
      wake: () => void this.woken++,
    };
  }

  get url(): string {
    return this.remote.fileUrl;
  }

  /** A component that owns an imported repository with upstream's files. */
  async imported(id: number, settings: Partial<catalog.Component__Output> = {}): Promise<Component> {
    const component = componentOf(id, { repo: this.url, ...settings });
    this.catalog.stored.set(id, component);
    const git = await this.deps.clones.create(`r${id}`);
    const head = await git.fetch(this.url, 'main');
    await this.repositories.insert(
      newRepository({
        id: `r${id}`,
        owner: id,
        task: '',
        vcs: 'git',
        repo: this.url,
        branch: 'main',
        head,
        upstream: head,
        scanned: head,
        maintained: head,
      }),
    );
    await this.index.put(id, 1, `r${id}`);
    this.effects.clear();
    return component;
  }

  /** A component that shares the repository of another one. */
  async linked(id: number, owner: number, settings: Partial<catalog.Component__Output> = {}): Promise<Component> {
    const component = componentOf(id, { repo: '', linkedComponentId: owner, linkedProjectId: 1, ...settings });
    this.catalog.stored.set(id, component);
    await this.index.put(id, 1, `r${owner}`);
    return component;
  }

  /** Runs an action under the lease of a component's repository. */
  run<T>(id: number, action: (work: RepositoryWork) => Promise<T>): Promise<T> {
    return withRepository(this.deps, `r${id}`, { user: 7, log: (line) => void this.log.push(line) }, action);
  }

  /** Commits a file on top of the current commit, as a use case does; not pushed. */
  async commit({ git, session }: { git: GitRepository; session: Session }, path: string, text: string) {
    const author = this.deps.committer();
    const changes = [{ path, bytes: Buffer.from(text) }];
    const [commit] = await git.commit(session.repository.head, [
      { changes, author, committer: author, message: 'Ours' },
    ]);
    return commit!;
  }

  async repository(id: number): Promise<Repository> {
    return (await this.repositories.get(`r${id}`))!;
  }

  /** Text of a file in the current commit of a component's repository; null if there is none. */
  async read(id: number, path: string): Promise<string | null> {
    const repository = await this.repository(id);
    const git = await this.deps.clones.open(repository, async () => this.url);
    const found = repository.head === null ? null : await git.readFile(repository.head, path);
    return found && found.bytes.toString();
  }

  async close(): Promise<void> {
    (this.remote as GitRemote | undefined)?.close();
    await this.files.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Actions of the stored history entries. */
export const actionsIn = (effects: Effects): number[] =>
  effects.payloads('changeMade').map((payload) => ('action' in payload ? Number(payload.action) : 0));
