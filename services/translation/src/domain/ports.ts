import type { Change } from './change';
import type { Component } from './component';
import type { Removal } from './pending';
import type { CounterDelta, Counters } from './counters';
import type { Translation } from './translation';
import type { Author, Unit } from './unit';

/**
 * What a write to a unit announces. It lies in the unit's own document until its effects (history, counters, event) are durable;
 * every effect can be repeated.
 */
export interface OutboxItem {
  id: string;
  /** Milliseconds since the epoch. */
  time: number;
  translation: number;
  delta: CounterDelta;
  /** History entries with their ids: inserting them twice inserts them once. */
  changes: Change[];
  /** What other strings' checks may depend on; absent: nothing. */
  touched?: Touched;
}

/** What an edit means for checks that look at several strings. */
export interface Touched {
  /** Texts that the string had and has, none of them blank. */
  texts: string[][];
  /** The string began or ceased to fail checks. */
  failing: boolean;
}

/** How the translations of one source string stand. */
export interface SourceSummary {
  sourceUnit: number;
  translations: number;
  translated: number;
  failing: number;
}

/** Fields of a unit that a write may set. */
export type UnitPatch = Partial<
  Pick<
    Unit,
    | 'target'
    | 'state'
    | 'formerState'
    | 'source'
    | 'previousSource'
    | 'contentHash'
    | 'checks'
    | 'dismissedChecks'
    | 'explanation'
    | 'extraFlags'
    | 'labels'
    | 'edits'
    | 'stored'
    | 'suggestions'
    | 'comments'
    | 'priority'
    | 'note'
    | 'location'
    | 'flags'
    | 'position'
    | 'updated'
    | 'words'
    | 'chars'
    | 'sourceUnit'
  >
>;

/** Counted outbox items of one translation that a process may leave in their documents for a while. */
export const MOST_UNCLEARED = 128;

/** One conditional write: applied only when the unit still has the version. */
export interface UnitWrite {
  unit: number;
  version: number;
  patch: UnitPatch;
  outbox?: OutboxItem;
}

/** Removes a unit that still has the version. */
export interface UnitRemoval extends Pick<UnitWrite, 'unit' | 'version'> {
  outbox: OutboxItem;
}

export interface Page<T> {
  items: T[];
  total: number;
}

export interface UnitStore {
  get(id: number): Promise<Unit | null>;
  many(ids: readonly number[]): Promise<Unit[]>;
  ofTranslation(translation: number): Promise<Unit[]>;
  /** Units of a source unit, itself included, by id. */
  ofSourceUnit(source: Pick<Unit, 'id' | 'contentHash'>): Promise<Unit[]>;
  /** Units of a project that have one of the sources (and its context); in one language or in all. */
  twins(project: number, language: string | null, contentHashes: readonly string[]): Promise<Unit[]>;
  /** Translations of a project's strings in a language that are one of these texts. */
  withTexts(project: number, language: string, texts: readonly (readonly string[])[]): Promise<Unit[]>;
  /** Source units of a component's target translations, each with how its translations stand. */
  summaries(translations: readonly number[]): Promise<SourceSummary[]>;
  /** The same of those source units of a project that have one of the sources (and its context). */
  summariesOf(project: number, contentHashes: readonly string[]): Promise<SourceSummary[]>;
  /** What tells whether a unit of a translation is still the one that was read. */
  versions(translation: number): Promise<{ id: number; version: number; position: number }[]>;
  byKey(translation: number, key: string): Promise<Unit | null>;
  /** Those of some keys under which strings were added to a translation since it was read first, by anybody or a file. */
  addedKeys(translation: number, keys: readonly string[]): Promise<Set<string>>;
  /** The context of a unit of a translation that is one of these, or begins with one of the beginnings; null: there is none. */
  contextAmong(translation: number, contexts: readonly string[], beginnings: readonly string[]): Promise<string | null>;
  /** Units of a translation that have flags given by people: flags by unit. */
  extraFlags(translation: number): Promise<Map<number, string>>;
  /** Units that a store filter selects, by id. */
  /** @param options.known total; absent: counted. @param options.oneByOne counts before it reads, which keeps the store less busy */
  page(
    filter: object,
    page: number,
    size: number,
    options?: { known?: number | undefined; oneByOne?: boolean },
  ): Promise<Page<Unit>>;
  /** The next units that a store filter selects, by id. @param after id of the one before; 0: from the first */
  following(filter: object, after: number, size: number): Promise<Unit[]>;
  /** Every unit that a store filter selects. */
  all(filter: object): Promise<Unit[]>;
  /** Ids of the units that a store filter selects, in any order. */
  idsOf(filter: object): Promise<number[]>;
  /** Texts of a translation's units, by id. */
  texts(translation: number): Promise<Pick<Unit, 'id' | 'source' | 'target' | 'context'>[]>;
  /** Inserts the strings of a translation that nobody knows yet. */
  insert(units: readonly Unit[]): Promise<void>;
  /** Inserts strings that a file brings to a translation that others know; answers the ids of those that somebody added meanwhile. */
  insertNew(units: readonly Unit[]): Promise<number[]>;
  /**
   * Inserts strings of one translation that a person or program adds, each with what it announces; answers the ids of those that
   * are there already or were added by somebody else at this moment.
   */
  addMany(insertions: readonly { unit: Unit; outbox: OutboxItem }[]): Promise<number[]>;
  /** False when the unit has another version by now. */
  write(write: UnitWrite | UnitRemoval): Promise<boolean>;
  /** Writes that all belong to one translation; answers the units that had another version. */
  writeMany(writes: readonly UnitWrite[]): Promise<number[]>;
  /** Moves a run of positions by the same distance. */
  shift(translation: number, from: number, to: number, by: number): Promise<void>;
  /** Gives units positions, whatever theirs were. */
  place(positions: readonly { unit: number; position: number }[]): Promise<void>;
  /**
   * Removes units without announcing it; answers how many of them were there. What others announced in them is carried out all the
   * same, and counting anew sees it until then.
   */
  removeMany(ids: readonly number[]): Promise<number>;
  /** Forgets removed units in which nothing is announced any more. */
  sweep(): Promise<void>;
  removeOfTranslation(translation: number): Promise<void>;
  removeOfComponent(component: number): Promise<void>;
  pendingOfComponent(component: number): Promise<Unit[]>;
  pendingOfTranslation(translation: Pick<Translation, 'id' | 'component'>): Promise<Unit[]>;
  /** Units of some components with a pending edit of a user. */
  pendingOfAuthor(components: readonly number[], user: number): Promise<Unit[]>;
  /** Whether edits wait in one of some components. */
  anyPending(components: readonly number[]): Promise<boolean>;
  /** Outbox items older than the given time. */
  leftovers(before: number, limit: number): Promise<{ unit: number; items: OutboxItem[] }[]>;
  clearOutbox(units: readonly number[], items: readonly string[]): Promise<void>;
  recount(translation: number): Promise<Counters>;
}

export interface TranslationStore {
  get(id: number): Promise<Translation | null>;
  many(ids: readonly number[]): Promise<Translation[]>;
  find(component: number, language: string): Promise<Translation | null>;
  ofComponent(component: number): Promise<Translation[]>;
  page(filter: TranslationFilter, page: number, size: number): Promise<Page<Translation>>;
  /** Components that have translations. */
  components(): Promise<number[]>;
  /** Translations of a project in a language. */
  inProject(project: number, language: string): Promise<Neighbour[]>;
  /** Translations whose strings are to be checked anew. */
  toRecheck(): Promise<Translation[]>;
  /** Says, durably, whether the strings of translations are to be checked anew. */
  markRecheck(ids: readonly number[], recheck: boolean): Promise<void>;
  /** Translations whose strings flags of the component or project say something new of. */
  toRejudge(): Promise<{ translation: Translation; mark: string }[]>;
  /** Says so, durably. */
  markRejudge(of: { component: number } | { project: number }): Promise<void>;
  /** It is done, unless it was said again meanwhile; checks of several strings are to follow. */
  judged(id: number, mark: string): Promise<void>;
  /** Says, durably, that terms changed which the strings of a project's translations are checked with. @param language null: all */
  markTerms(project: number, language: string | null): Promise<void>;
  /** Translations of which that was said and not done, each with what it was said with. */
  toCheckTerms(): Promise<{ translation: Translation; mark: string }[]>;
  /** It is done, unless terms changed again meanwhile. */
  termsChecked(translation: number, mark: string): Promise<void>;
  /** Components whose checks that depend on the time were not decided since, at most so many. */
  timedChecksDue(since: number, limit: number): Promise<number[]>;
  /** Says that those of a component are decided now; false: somebody said so since. */
  claimTimedChecks(component: number, since: number, now: number): Promise<boolean>;
  /** How many units the translations that a filter selects have. */
  countUnits(filter: TranslationFilter): Promise<number>;
  /** What tells whether the units of translations are still those that were read, and how many there are. */
  versions(filter: TranslationFilter): Promise<{ id: number; version: number; units: number }[]>;
  insert(translation: Translation): Promise<void>;
  update(
    id: number,
    fields: Partial<Pick<Translation, 'filename' | 'revision' | 'fileLanguageCode' | 'language' | 'isTemplate'>>,
  ): Promise<void>;
  /**
   * Takes places behind all strings of a translation, so that no two that are added at the same moment get the same.
   * @returns the place before the first of them
   */
  takePlaces(id: number, count: number): Promise<number>;
  /** Adds deltas once: items that are counted already are left out. Answers the translation after it, or null when it is gone. */
  applyDelta(
    id: number,
    items: readonly { id: string; delta: CounterDelta }[],
    last: LastChange | null,
  ): Promise<Translation | null>;
  /** Takes it down that the history got an entry of that time; null when there is a later one, or the translation is gone. */
  touch(id: number, time: number): Promise<Translation | null>;
  /** Puts counted numbers in place of the kept ones when no write came in between. */
  replaceCounters(
    id: number,
    version: number,
    counters: Counters,
    applied: readonly string[],
  ): Promise<Translation | null>;
  /** Gives those that a user changed last another name of the user; answers them. */
  renameLastAuthor(user: number, name: string): Promise<Translation[]>;
  /** Says, durably, that others were not told of a translation as it is now. */
  markUnannounced(id: number): Promise<void>;
  /** The first translations of which that was said, each with what it was said with. */
  unannounced(limit: number): Promise<{ translation: Translation; mark: string }[]>;
  /** They were told, unless it was said again meanwhile. */
  announced(id: number, mark: string): Promise<void>;
  /** Which outbox items a translation's counters hold, of those that may still be uncleared. */
  countedItems(id: number): Promise<{ version: number; holds: (item: string) => boolean } | null>;
  remove(id: number): Promise<void>;
}

/** A translation beside others of its project and language. */
export interface Neighbour {
  translation: number;
  component: number;
  strings: number;
}

/** What writes mean for what a translation says of its last change. */
export interface LastChange {
  /** Of the newest history entry, milliseconds since the epoch. */
  time: number;
  /** Whose it was; null: nobody's, the translation keeps its last author. */
  by: {
    author: string;
    authorId: number;
    /** Who did it, when that is not the author. */
    user: number;
  } | null;
}

export interface TranslationFilter {
  components?: readonly number[];
  projects?: readonly number[];
  language?: string;
  excludedComponents?: readonly number[];
  excludedProjects?: readonly number[];
}

export interface ChangeFilter {
  project?: number;
  component?: number;
  translation?: number;
  unit?: number;
  language?: string;
  actions?: readonly number[];
  user?: number;
  after?: number;
  before?: number;
  excludedComponents?: readonly number[];
  excludedProjects?: readonly number[];
}

/** What recent changes are counted of. */
export interface RecentScope {
  filter: ChangeFilter;
  /** Components that count besides the filter's project; without a project, language or translation only these. */
  components: readonly number[];
  /** Milliseconds since the epoch. */
  lastChange: number;
}

/** What a user did to a translation. */
export interface Contribution {
  user: number;
  translation: number;
  language: string;
  changes: number;
}

export interface ChangeStore {
  get(id: number): Promise<Change | null>;
  /** Content changes within six hours before each scope's last change. */
  countRecent(scopes: readonly RecentScope[]): Promise<number[]>;
  /** Content changes of a translation, without these entries, and the time of its newest entry of any kind (0: none). */
  sums(translation: number, without: readonly number[]): Promise<{ content: number; newest: number }>;
  page(filter: ChangeFilter, page: number, size: number): Promise<Page<Change>>;
  /** The newest entries of some actions about some units. */
  newestOf(units: readonly number[], actions: readonly number[], limit: number): Promise<Change[]>;
  /** Who made how many entries in which translations, the most first. */
  contributions(filter: ChangeFilter, most: number): Promise<Contribution[]>;
  /** Whether a user has an entry in a translation's history before a time. */
  hasEntries(translation: number, user: number, before: number): Promise<boolean>;
  /** Inserts; entries that are there already (same id, or `once`) are left alone. */
  insert(changes: readonly Change[]): Promise<void>;
  /** Takes back entries of what did not come about. */
  retract(changes: readonly Pick<Change, 'id' | 'time'>[]): Promise<void>;
}

export interface Suggestion {
  id: number;
  unit: number;
  translation: number;
  component: number;
  project: number;
  target: string[];
  user: number;
  time: number;
  origin?: string;
  /** Who voted for it, where suggestions are voted on: who suggested it is the first. */
  votes?: number[];
  /** Who suggested it, for the commit that an accepted one ends in; where suggestions are voted on. */
  author?: Author;
}

/** What people say about strings, as far as its age matters. */
export interface AgingStore<T> {
  /** What was made in a component before a time. */
  older(component: number, before: number): Promise<T[]>;
  /** How much of a unit was made since a time and counts for it. */
  countNewer(unit: number, since: number): Promise<number>;
  remove(ids: readonly number[]): Promise<void>;
}

export interface SuggestionStore extends AgingStore<Suggestion> {
  /** False when a suggestion of the same origin exists. */
  insert(suggestion: Suggestion): Promise<boolean>;
  /** Inserts suggestions of people, which have no origin. */
  insertMany(suggestions: readonly Suggestion[]): Promise<void>;
  /** Adds somebody's vote; answers the suggestion after it, or null when it is gone or has that vote. */
  vote(id: number, user: number): Promise<Suggestion | null>;
  /** Forgets name and address of somebody who made suggestions. */
  forgetAuthor(user: number): Promise<void>;
  /** What is suggested for units. */
  ofUnits(units: readonly number[]): Promise<Suggestion[]>;
  removeOfComponent(component: number): Promise<void>;
}

/** A remark on a string. */
export interface Comment {
  id: number;
  unit: number;
  translation: number;
  component: number;
  project: number;
  text: string;
  user: number;
  /** Milliseconds since the epoch. */
  time: number;
  resolved?: boolean;
}

export interface CommentStore extends AgingStore<Comment> {
  insert(comment: Comment): Promise<void>;
  removeOfComponent(component: number): Promise<void>;
}

/** Where units are looked for; without a translation and projects: everywhere. */
export interface LookupScope {
  translation?: number;
  projects?: readonly number[];
}

/** What people added to a source string. */
export interface CuratedSource {
  id: number;
  labels: number[];
  explanation: string;
  extraFlags: string;
}

/** Finds units by what is not in their own documents. Each answers at most `limit` entries, ids each once. */
export interface UnitLookups {
  /** Units with a history entry that fits all of it; `from` is inclusive, `before` exclusive. */
  changedUnits(
    scope: LookupScope,
    filter: { actions?: readonly number[]; user?: number; from?: number; before?: number; contentOnly?: boolean },
    limit: number,
  ): Promise<number[]>;
  /** Units with a suggestion or comment that the store filter selects. */
  remarkedUnits(kind: 'suggestion' | 'comment', scope: LookupScope, filter: object, limit: number): Promise<number[]>;
  /** Source units that have labels, an explanation or flags given by people (some had them once). */
  curated(scope: LookupScope, limit: number): Promise<CuratedSource[]>;
  /** Source units that the store filter selects. */
  sources(scope: LookupScope, filter: object, limit: number): Promise<number[]>;
  /** Contexts of a translation's units. */
  contexts(translation: number, limit: number): Promise<{ id: number; context: string }[]>;
  /** Source texts of components. */
  sourceTexts(components: readonly number[], limit: number): Promise<string[]>;
}

/** What other services know about things that searches and rules name. */
export interface Directory {
  /**
   * Components of a project, or of all (0).
   * @param generation state of the catalog that the caller has seen; '' when unknown
   */
  componentsOf(project: number, generation: string): Promise<readonly Component[]>;
  projectId(slug: string): Promise<number | null>;
  userId(username: string): Promise<number | null>;
  /** Those of some users who were deleted, as they are called now. */
  deletedUsers(ids: readonly number[]): Promise<Author[]>;
  /** Whose mail address this is, in any case of letters. */
  userWithEmail(email: string): Promise<{ id: number; username: string } | null>;
  /** Names of labels by id. */
  labelNames(ids: readonly number[]): Promise<Map<number, string>>;
  /** Units that a screenshot shows, the first ones. @param name of the screenshot; '': any. @param translations empty: any */
  screenshotUnits(translations: readonly number[], name: string, limit: number): Promise<readonly number[]>;
}

export interface RemovalStore {
  /** Those that are there already are left alone. */
  add(removals: readonly Removal[]): Promise<void>;
  /** Those that commits are to be made of. */
  ofComponent(component: number): Promise<Removal[]>;
  /** Keys of the strings that are to leave a translation's file, or of source strings that are not to be read any more. */
  keysOf(translation: Pick<Translation, 'id' | 'component'>): Promise<Set<string>>;
  /** Whether a component has some that commits are to be made of. */
  anyOf(components: readonly number[]): Promise<boolean>;
  remove(ids: readonly string[]): Promise<void>;
  removeOfComponent(component: number): Promise<void>;
  /** Gives the removals of a user the name that they have now. */
  renameAuthor(person: Author): Promise<void>;
}

export interface Ids {
  next(kind: IdKind): Promise<number>;
  range(kind: IdKind, count: number): Promise<number[]>;
}
export type IdKind = 'unit' | 'translation' | 'change' | 'suggestion' | 'comment' | 'memory';

/** Which units of a translation a write changed; none when it was about the translation alone. */
export type WrittenUnits = readonly number[] | 'any';

/** Announces translations with their counters to other services. */
export interface Announcer {
  updated(translation: Translation, units: WrittenUnits): Promise<void>;
  deleted(translation: Translation): Promise<void>;
}

/** The catalog, as far as strings need it. */
export interface Catalog {
  /** @param generation state of the catalog that the caller has seen; '' when unknown */
  component(id: number, generation: string): Promise<Component | null>;
  forget(id: number): void;
  forgetAll(): void;
}

/** Who accepted the agreements of components. */
export interface Agreements {
  /** Whether a user accepted the agreement as the component has it now. */
  accepted(component: Component, userId: number): Promise<boolean>;
}

/** Bytes of files in a component's repository. */
export interface Repository {
  readFile(component: number, path: string): Promise<{ bytes: Buffer; revision: string } | null>;
  /** Puts other bytes in a file's place, commits and reads them again. @throws INVALID on field file */
  replaceFile(replacement: FileReplacement): Promise<void>;
}

/** A whole file that somebody uploads. */
export interface FileReplacement {
  component: number;
  path: string;
  bytes: Buffer;
  author: Author;
  /** The file is the base: its strings become those of every translation, in the same commit. */
  updateTranslations: boolean;
}
