import type { Caller } from '@parlance/access';
import type { FieldProblem } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import type { FormatRules } from '../domain/component-rules';
import type {
  AddonStore,
  AgreementStore,
  ForwardedContext,
  CategoryStore,
  ComponentListStore,
  ComponentStore,
  IdSource,
  LabelStore,
  LanguageStore,
  ProjectStore,
  RepositoryClient,
  SecretSealer,
  ProjectTeamsClient,
  WebhookClient,
} from '../domain/ports';
import type { CatalogSnapshot } from './caches/catalog-snapshot';
import type { ObjectReader } from './caches/object-reader';

/** Where a document with announced events lies. */
export interface OutboxLocation {
  collection: 'projects' | 'nodes' | 'addons';
  id: number;
}

/** Tells the world what was written. */
export interface WriteAnnouncer {
  /**
   * To be awaited after a write and before it is answered: caches everywhere drop what they hold, and the events that were stored
   * with the write are published (a failure is made good later).
   */
  written(...notes: { location: OutboxLocation; events: readonly OutgoingEvent[] }[]): Promise<void>;
}

/** Vocabularies of other libraries. */
export interface Vocabularies {
  format(id: string): FormatRules | undefined;
  isCheck(id: string): boolean;
  /** What is wrong with a text of flags, or null. */
  flagProblem(text: string): string | null;
  /** What is wrong with a search query for strings, or null. */
  queryProblem(text: string): string | null;
}

/** How many objects may be in another one. */
export interface Quotas {
  componentsPerProject: number;
  /** Of a component, of a project itself, of the site itself. */
  addonsPerScope: number;
}

/** Everything that use cases are made of. */
export interface Deps {
  projects: ProjectStore;
  components: ComponentStore;
  categories: CategoryStore;
  languages: LanguageStore;
  labels: LabelStore;
  lists: ComponentListStore;
  addons: AddonStore;
  agreements: AgreementStore;
  ids: IdSource;
  secrets: SecretSealer;
  repositories: RepositoryClient;
  projectTeams: ProjectTeamsClient;
  webhooks: WebhookClient;
  announcer: WriteAnnouncer;
  vocabularies: Vocabularies;
  quotas: Quotas;
  snapshot: CatalogSnapshot;
  reader: ObjectReader;
  now(): number;
}

/** Who asks for something. */
export interface RequestContext {
  caller: Caller;
  /** Passed on to other services. */
  forwarded: ForwardedContext;
  /** State of the catalog that the caller has seen; see Directory. */
  generation: string;
  /** What it found wrong with its request. */
  problems: readonly FieldProblem[];
}
