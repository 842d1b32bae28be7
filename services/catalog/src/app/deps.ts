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
  MaintenanceStore,
  ProjectStore,
  RepositoryClient,
  SecretSealer,
  ProjectTeamsClient,
  WebhookClient,
} from '../domain/ports';
import type { CatalogSnapshot } from './caches/catalog-snapshot';
import type { ObjectReader } from './caches/object-reader';

/** Identifies the document whose outbox contains events. */
export interface OutboxLocation {
  collection: 'projects' | 'nodes' | 'addons';
  id: number;
}

/** Publishes writes. */
export interface WriteAnnouncer {
  /**
   * Invalidates the caches of all processes and publishes the events stored with the write. Must be awaited before the response. After a
   * failure, the relay publishes the events.
   */
  written(...notes: { location: OutboxLocation; events: readonly OutgoingEvent[] }[]): Promise<void>;
}

/** Vocabularies of libraries. */
export interface Vocabularies {
  format(id: string): FormatRules | undefined;
  isCheck(id: string): boolean;
  /** Problem of a text of flags, or null. */
  flagProblem(text: string): string | null;
  /** Problem of a search query for strings, or null. */
  queryProblem(text: string): string | null;
}

/** Maximum numbers of objects. */
export interface Quotas {
  componentsPerProject: number;
  /** For a component, a project itself, and the site itself. */
  addonsPerScope: number;
}

/** All dependencies; each use case declares the subset that it needs. */
export interface Deps {
  projects: ProjectStore;
  components: ComponentStore;
  categories: CategoryStore;
  languages: LanguageStore;
  labels: LabelStore;
  lists: ComponentListStore;
  addons: AddonStore;
  agreements: AgreementStore;
  maintenance: MaintenanceStore;
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

/** The caller of a use case. */
export interface RequestContext {
  caller: Caller;
  /** Passed on to other services. */
  forwarded: ForwardedContext;
  /** Catalog generation that the caller has seen; see CatalogSnapshot. */
  generation: string;
  /** Problems that the caller found in the request. */
  problems: readonly FieldProblem[];
}
