import type { OutgoingEvent } from '@parlance/events';
import type { CallContext } from '@parlance/grpc-kit';
import type { AccessTarget } from '@parlance/access';
import type { PreparedImage } from './image';
import type { Screenshot } from './screenshot';

/** Thrown by conditional writes when somebody else changed the screenshot meanwhile, or it is gone. */
export class StaleError extends Error {}

/** What is removed together. */
export type Place = { projectId: number } | { componentId: number } | { translationId: number };

export interface ScreenshotFilter {
  componentId: number;
  translationId: number;
  projectIds: readonly number[];
  excludedComponentIds: readonly number[];
  excludedProjectIds: readonly number[];
}

/** A screenshot whose objects wait to be removed from the bucket. */
export interface Waste {
  screenshotId: number;
  keys: string[];
  /** The screenshot itself goes, too. */
  removed: boolean;
}

/**
 * Keeps screenshots, and with them what has to be removed from the bucket: an object that is no longer used is noted in the same write
 * that gives it up, and an object that is about to be written is noted before, so that no crash leaves one behind.
 */
export interface ScreenshotStore {
  get(id: number): Promise<Screenshot | undefined>;
  many(ids: readonly number[]): Promise<Screenshot[]>;
  /** Ordered by id. */
  list(filter: ScreenshotFilter, skip: number, limit: number): Promise<{ screenshots: Screenshot[]; total: number }>;
  /** Ids of units with a screenshot, ascending, the first ones; '' for any name. */
  attachedUnits(translationIds: readonly number[], name: string, limit: number): Promise<number[]>;
  newId(): Promise<number>;
  /** Stores a new one with its events. False when its place was removed meanwhile: nothing is kept then. */
  add(screenshot: Screenshot, events: OutgoingEvent[]): Promise<boolean>;
  /**
   * Replaces one, on the version that it has, and notes the former image's object as waste when there is another one now.
   * @throws StaleError
   */
  replace(screenshot: Screenshot, formerKey: string, events: OutgoingEvent[]): Promise<Screenshot>;
  /**
   * Attaches a string, unless it is attached already; whatever else is written at that moment counts, too.
   * @param max most strings that one has
   * @returns null where it is not there
   */
  attach(id: number, unitId: number, max: number, now: number): Promise<Screenshot | 'full' | null>;
  /** Takes a string away; null where it is not attached. */
  detach(id: number, unitId: number, now: number): Promise<Screenshot | null>;
  /** Takes it out of sight; its object is noted as waste. False when it is not there. */
  remove(id: number): Promise<boolean>;
  /** The same for everything in a place, also for what is added to it later. */
  removeOf(place: Place): Promise<void>;

  /** Notes that an object will be written; it is waste when nothing refers to it after the given time. */
  expectObject(key: string, untilMs: number): Promise<void>;
  /** The object is in use, or it was removed. */
  settleObject(key: string): Promise<void>;
  /** Expected objects whose time has passed and that nothing refers to. Those that are in use are settled. */
  strayObjects(now: number, limit: number): Promise<string[]>;
  waste(limit: number): Promise<Waste[]>;
  /** The objects are removed. */
  wasteRemoved(waste: Waste): Promise<void>;
}

/** A component as far as access to its screenshots depends on it. */
export type ComponentAccess = AccessTarget & { componentId: number };

/** What is asked of other services. */
export interface Directory {
  /** A component, if the caller may see it. */
  component(id: number, context: CallContext): Promise<ComponentAccess | undefined>;
  /** The component and language of a translation. */
  translation(id: number): Promise<{ componentId: number; projectId: number; languageCode: string } | undefined>;
  /** The translation that a unit belongs to. */
  translationOfUnit(unitId: number): Promise<number | undefined>;
}

/** Checks an uploaded image by its content and makes of it what is stored. @throws ImageError */
export type PrepareImage = (bytes: Buffer) => Promise<PreparedImage>;
