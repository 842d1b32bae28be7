import { serviceCaller, type Caller, type Grant, type Permission } from '@parlance/access';
import { componentSettings, projectSettings } from '@parlance/contracts';
import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { CatalogSnapshot } from '../../../src/app/caches/catalog-snapshot';
import { ObjectReader } from '../../../src/app/caches/object-reader';
import type { Deps, RequestContext } from '../../../src/app/deps';
import { defaultSettings } from '../../../src/domain/settings-input';
import type { Category, Component, ComponentSettings, Language, Project } from '../../../src/domain/objects';
import type { RepositoryRequest, Webhook } from '../../../src/domain/ports';
import { matchKeys } from '../../../src/domain/repository-address';
import { vocabularies } from '../../../src/vocabularies';
import { Effects, Rival } from './effects';
import { MemoryCategoryStore, MemoryComponentStore, MemoryNodes } from './node-stores';
import { MemoryProjectStore } from './project-store';
import {
  MemoryAddonStore,
  MemoryAgreementStore,
  MemoryComponentListStore,
  MemoryLabelStore,
  MemoryLanguageStore,
  MemoryMaintenanceStore,
} from './small-stores';

export { fieldsOf, reasonOf } from '@parlance/testing';

const anonymousCaller: Caller = {
  userId: 0,
  username: 'anonymous',
  fullName: '',
  email: '',
  isSuperuser: false,
  isBot: false,
  anonymous: true,
  grants: [],
};

/** The catalog's use cases on stores in memory, with hand-written collaborators that record calls. */
export class UseCaseWorld {
  readonly effects = new Effects();
  readonly rival = new Rival();
  readonly nodes = new MemoryNodes();
  readonly projects = new MemoryProjectStore(this.effects, this.rival);
  readonly components = new MemoryComponentStore(this.nodes, this.effects, this.rival);
  readonly categories = new MemoryCategoryStore(this.nodes, this.components, this.projects, this.effects, this.rival);
  readonly languages = new MemoryLanguageStore(this.effects);
  readonly lists = new MemoryComponentListStore(this.effects);
  readonly addons = new MemoryAddonStore(this.effects);
  nowMs = Date.parse('2026-11-21T12:00:00Z');

  /** Requests that the repositories' service got, and the problems that it reports. */
  readonly prepared: RepositoryRequest[] = [];
  repositoryProblems: FieldProblem[] = [];
  /** Owners whose repositories cannot be shared yet. */
  readonly notReady = new Set<number>();
  /** Files of every repository. */
  readonly files = new Set<string>();
  teamsFail = false;
  /** Subscriptions of the hooks service, by add-on. */
  readonly webhooks = new Map<number, Webhook>();
  webhooksFail = false;

  private readonly lastIds = new Map<string, number>();
  private readonly snapshot = new CatalogSnapshot(
    {
      projects: async () => this.projects.entries(),
      nodes: async () => this.nodes.entries(),
      languages: async () => this.languages.all().map((l) => ({ ...l, removed: false })),
      addons: async () => this.addons.all().map(({ id, componentId }) => ({ id, componentId, removed: false })),
    },
    // Each read is a full one: the stores in memory do not return deletions.
    () => (this.snapshotMs += 3_600_000),
  );
  private snapshotMs = 3_600_000;

  readonly deps: Deps = {
    projects: this.projects,
    components: this.components,
    categories: this.categories,
    languages: this.languages,
    labels: new MemoryLabelStore(this.effects),
    lists: this.lists,
    addons: this.addons,
    agreements: new MemoryAgreementStore(),
    maintenance: new MemoryMaintenanceStore(),
    ids: {
      next: async (kind) => {
        const id = (this.lastIds.get(kind) ?? 0) + 1;
        this.lastIds.set(kind, id);
        return id;
      },
    },
    secrets: {
      seal: (text) => `sealed:${text}`,
      open: (sealed) => sealed.replace(/^sealed:/, ''),
    },
    repositories: {
      prepare: async (request) => {
        this.prepared.push(request);
        this.effects.add('prepare repository');
        if (this.repositoryProblems.length > 0) throw fieldErrors(this.repositoryProblems);
        if (this.notReady.has(request.linkedComponentId))
          throw fieldErrors([{ attr: 'repo', code: 'invalid', detail: 'The repository does not exist yet.' }]);
        return { taskId: `task-${this.prepared.length}`, branch: request.branch || 'main', files: [] };
      },
      hasFile: async (_componentId, path) => this.files.has(path),
    },
    projectTeams: {
      ensure: async (project, creator) => {
        if (this.teamsFail) throw new Error('identity is unavailable');
        this.effects.add(`ensure teams of project ${project.id} for user ${creator}`);
      },
    },
    webhooks: {
      check: async ({ url }) => {
        if (url.includes('//10.')) throw fieldErrors([{ attr: 'webhook_url', code: 'invalid', detail: 'Private.' }]);
      },
      put: async (webhook) => {
        if (this.webhooksFail) throw new Error('hooks is unavailable');
        this.effects.add(`put webhook ${webhook.addonId}`);
        this.webhooks.set(webhook.addonId, webhook);
      },
      remove: async (addonId) => {
        this.effects.add(`remove webhook ${addonId}`);
        this.webhooks.delete(addonId);
      },
    },
    announcer: {
      written: async (...notes) => {
        this.snapshot.changed();
        if (notes.length === 0) this.effects.announce('a new generation', []);
        for (const { location, events } of notes)
          this.effects.announce(`${location.collection} ${location.id}`, events);
      },
    },
    vocabularies,
    quotas: { componentsPerProject: 10, addonsPerScope: 3 },
    snapshot: this.snapshot,
    reader: new ObjectReader(this.snapshot, this.projects, this.components, this.categories),
    now: () => this.nowMs,
  };

  readonly admin: RequestContext = this.as({ userId: 1, username: 'admin', isSuperuser: true });
  readonly service: RequestContext = this.as(serviceCaller('vcs-worker'));
  readonly anonymous: RequestContext = this.as({ anonymous: true, grants: [{ permissions: [], projects: 'public' }] });

  /** A request of a caller; a generation that no snapshot has seen. */
  as(caller: Partial<Caller>): RequestContext {
    return { caller: { ...anonymousCaller, anonymous: false, ...caller }, forwarded: {}, generation: '', problems: [] };
  }

  /** A user with permissions on projects, besides reading public ones. */
  member(permissions: Permission[], projects: Grant['projects'] = 'all', more: Partial<Caller> = {}): RequestContext {
    return this.as({ userId: 7, username: 'member', grants: [{ permissions, projects }], ...more });
  }

  async project(slug: string, settings: Partial<Project['settings']> = {}, hookSecret = ''): Promise<Project> {
    const project: Project = {
      id: await this.deps.ids.next('project'),
      version: 1,
      createdMs: this.nowMs,
      settings: {
        ...(defaultSettings(projectSettings) as unknown as Project['settings']),
        name: slug.toUpperCase(),
        slug,
        web: 'https://example.com/',
        ...settings,
      },
      hookSecret,
    };
    await this.projects.insert(project, []);
    this.effects.clear();
    return project;
  }

  async component(
    projectId: number,
    slug: string,
    settings: Partial<ComponentSettings> = {},
    more: Partial<Omit<Component, 'settings'>> = {},
  ): Promise<Component> {
    const repo = settings.repo ?? (more.linkedId ? '' : `https://git.example.com/acme/${slug}.git`);
    // The source language is a field of the component, not of its settings.
    const { sourceLanguage: _, ...defaults } = defaultSettings(componentSettings);
    const component: Component = {
      id: await this.deps.ids.next('node'),
      version: 1,
      createdMs: this.nowMs,
      projectId,
      categoryId: 0,
      linkedId: 0,
      sourceLanguage: 'en',
      settings: {
        ...(defaults as unknown as ComponentSettings),
        name: slug.toUpperCase(),
        slug,
        branch: more.linkedId ? '' : 'main',
        editTemplate: true,
        manageUnits: false,
        filemask: 'po/*.po',
        newBase: 'po/messages.pot',
        fileFormat: 'po',
        ...settings,
        repo,
      },
      repoSecret: '',
      pushSecret: '',
      branchIsDefault: false,
      repoKeys: matchKeys(repo),
      locked: false,
      lockReason: '',
      taskId: '',
      links: [],
      languages: ['en'],
      ...more,
    };
    await this.components.insert(component, []);
    this.effects.clear();
    return component;
  }

  async category(projectId: number, slug: string, more: Partial<Category> = {}): Promise<Category> {
    const category: Category = {
      id: await this.deps.ids.next('node'),
      version: 1,
      projectId,
      categoryId: 0,
      settings: { name: slug.toUpperCase(), slug, configuration: {} },
      ...more,
    };
    await this.categories.put(category, (await this.categories.tree(projectId))!, []);
    this.effects.clear();
    return category;
  }

  async language(code: string): Promise<Language> {
    const id = await this.deps.ids.next('language');
    const language: Language = {
      id,
      version: 1,
      code,
      name: `Language ${code}`,
      direction: 'ltr',
      population: 0,
      aliases: [],
      plural: { id, source: 0, number: 2, formula: 'n != 1', type: 1 },
    };
    await this.languages.insert(language);
    this.effects.clear();
    return language;
  }
}
