import type { OutgoingEvent } from '@parlance/events';
import type { CallContext } from '@parlance/grpc-kit';
import type { AccessTarget } from '@parlance/access';
import type { Font, FontFacts, FontType, FontWidths } from './font';
import type { PreparedImage } from './image';
import type { Screenshot } from './screenshot';

/** Thrown by a conditional write that lost the race against another write or a deletion. */
export class StaleError extends Error {}

/** Generations of contents: gateways keep replies until their contents change (docs/adr/0058). */
export interface ContentGenerations {
  /**
   * Called after a write of screenshots or fonts, and before its response. Does not fail.
   * @param places where contents changed; 0: in no component
   */
  changed(places: readonly { project: number; component: number }[]): Promise<void>;
}

/** Screenshots that are deleted together. */
export type ScreenshotScope = { projectId: number } | { componentId: number } | { translationId: number };

export interface ScreenshotFilter {
  componentId: number;
  translationId: number;
  /** Those that show one of these units; absent or empty: any. */
  unitIds?: readonly number[];
  projectIds: readonly number[];
  excludedComponentIds: readonly number[];
  excludedProjectIds: readonly number[];
}

/** A screenshot or font with objects to delete from the bucket. */
export interface ObsoleteObjects {
  ownerId: number;
  keys: string[];
  /** The owner itself is deleted, too. */
  removed: boolean;
}

/** Tracks objects that their owner no longer uses. */
export interface ObsoleteObjectStore {
  waste(limit: number): Promise<ObsoleteObjects[]>;
  /** Records that the objects were deleted. */
  wasteRemoved(waste: ObsoleteObjects): Promise<void>;
}

/** Tracks objects from before their upload until a document refers to them. */
export interface UploadStore {
  /** Records an object before its upload. It is waste if no document refers to it after the given time. */
  expectObject(key: string, untilMs: number): Promise<void>;
  /** Ends the tracking of an object that is in use or removed. */
  settleObject(key: string): Promise<void>;
  /** Expired uploads without a reference. Those in use are settled. */
  strayObjects(now: number, limit: number): Promise<string[]>;
}

/** Names the document whose outbox holds an event. */
export interface OutboxId {
  of: 'screenshots' | 'fonts';
  id: number;
}

/**
 * Stores screenshots and tracks objects to delete from the bucket. The write that replaces an object records the old one as
 * waste; an upload records its object before it is written. So a crash leaves no untracked object.
 */
export interface ScreenshotStore extends ObsoleteObjectStore {
  get(id: number): Promise<Screenshot | undefined>;
  many(ids: readonly number[]): Promise<Screenshot[]>;
  /** Ordered by id. */
  list(filter: ScreenshotFilter, skip: number, limit: number): Promise<{ screenshots: Screenshot[]; total: number }>;
  /** Ids of units with a screenshot, ascending; an empty name matches all. */
  attachedUnits(translationIds: readonly number[], name: string, limit: number): Promise<number[]>;
  newId(): Promise<number>;
  /**
   * Stores a new screenshot with its events. @returns false without a write if its translation, component or project was deleted
   */
  add(screenshot: Screenshot, events: OutgoingEvent[]): Promise<boolean>;
  /**
   * Replaces a screenshot if its version is unchanged. A replaced image becomes waste.
   * @throws StaleError
   */
  replace(screenshot: Screenshot, formerKey: string, events: OutgoingEvent[]): Promise<Screenshot>;
  /**
   * Attaches a unit; idempotent.
   * @param max limit of units per screenshot
   * @returns null if the screenshot does not exist
   */
  attach(id: number, unitId: number, max: number, now: number): Promise<Screenshot | 'full' | null>;
  /** Detaches a unit. @returns null if it is not attached */
  detach(id: number, unitId: number, now: number): Promise<Screenshot | null>;
  /** Marks a screenshot as deleted and its object as waste. @returns false if it does not exist */
  remove(screenshot: Pick<Screenshot, 'id' | 'projectId' | 'componentId'>): Promise<boolean>;
  /**
   * Deletes all screenshots of a scope; later additions to it are rejected.
   * @param place where the scope was; component 0: in several
   */
  removeOf(scope: ScreenshotScope, place: { project: number; component: number }): Promise<void>;
}

/** Stores fonts with what texts are measured with. Fonts never change. */
export interface FontStore extends ObsoleteObjectStore {
  get(id: number): Promise<Font | undefined>;
  /** Ordered by id. @param limit Infinity: all */
  list(projectId: number, skip: number, limit: number): Promise<{ fonts: Font[]; total: number }>;
  widths(id: number): Promise<FontWidths | undefined>;
  newId(): Promise<number>;
  /** Stores a new font with its events. @returns false without a write if its project was deleted */
  add(font: Font, widths: FontWidths, events: OutgoingEvent[]): Promise<boolean>;
  /** Marks a font as deleted and its object as waste. @returns false if it does not exist */
  remove(font: Pick<Font, 'id' | 'projectId'>, events: OutgoingEvent[]): Promise<boolean>;
}

/** Properties of a component for permission checks. */
export type ComponentAccess = AccessTarget & { componentId: number };

/** Calls to the catalog. */
export interface CatalogClient {
  /** A component, if it is visible to the caller. */
  component(id: number, context: CallContext): Promise<ComponentAccess | undefined>;
  /** A project, if it is visible to the caller. */
  project(id: number, context: CallContext): Promise<AccessTarget | undefined>;
}

/** Calls to the translation service. */
export interface TranslationClient {
  /** The component and language of a translation. */
  translation(id: number): Promise<{ componentId: number; projectId: number; languageCode: string } | undefined>;
  /** The translation of a unit. */
  translationOfUnit(unitId: number): Promise<number | undefined>;
}

/** Validates an uploaded image by its content and converts it to the stored form. @throws ImageError */
export type PrepareImage = (bytes: Buffer) => Promise<PreparedImage>;

/** Reads an uploaded font. @throws FontError */
export type ReadFont = (bytes: Buffer) => Promise<{ facts: FontFacts; widths: FontWidths; type: FontType }>;
