import type { Caller } from '@parlance/access';
import type { FieldProblem } from '@parlance/errors';
import type { OutgoingEvent } from '@parlance/events';
import type { FormatFacts } from '../domain/component-rules';
import type {
  AddonStore,
  AgreementStore,
  ForwardedContext,
  CategoryStore,
  ComponentListStore,
  ComponentStore,
  Ids,
  LabelStore,
  LanguageStore,
  ProjectStore,
  Repositories,
  Secrets,
  Teams,
  Webhooks,
} from '../domain/ports';
import type { Directory } from './caches/catalog-snapshot';
import type { Reader } from './caches/object-reader';

/** Where a document with announced events lies. */
export interface Place {
  collection: 'projects' | 'nodes' | 'addons';
  id: number;
}

/** Tells the world what was written. */
export interface Announcer {
  /**
   * To be awaited after a write and before it is answered: caches everywhere drop what they hold, and the events that were stored
   * with the write are published (a failure is made good later).
   */
  written(...notes: { place: Place; events: readonly OutgoingEvent[] }[]): Promise<void>;
}

/** Vocabularies of other libraries. */
export interface Vocabularies {
  format(id: string): FormatFacts | undefined;
  isCheck(id: string): boolean;
  /** What is wrong with a text of flags, or null. */
  flagProblem(text: string): string | null;
  /** What is wrong with a search query for strings, or null. */
  queryProblem(text: string): string | null;
}

/** How many objects may be in another one. */
export interface Quotas {
  componentsOfProject: number;
  /** Of a component, of a project itself, of the site itself. */
  addonsOfPlace: number;
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
  ids: Ids;
  secrets: Secrets;
  repositories: Repositories;
  teams: Teams;
  webhooks: Webhooks;
  announcer: Announcer;
  vocabularies: Vocabularies;
  quotas: Quotas;
  directory: Directory;
  reader: Reader;
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
