import { Schema, type Connection } from 'mongoose';
import type { OutgoingEvent } from '@parlance/events';
import type { Screenshot } from '../domain/screenshot';

export interface ScreenshotDocument extends Omit<Screenshot, 'id'> {
  _id: number;
  outbox: OutgoingEvent[];
  /** Keys of unused objects. */
  waste: string[];
  /** Hidden from readers; the document is deleted after its object. */
  removed?: boolean;
  /** Has waste or is deleted: selects documents for the cleanup. */
  untidy?: boolean;
}

/** An object during its upload. */
export interface ExpectedDocument {
  /** Its key. */
  _id: string;
  until: Date;
}

/** A deleted project, component or translation. */
export interface RemovedPlaceDocument {
  /** projectId:3, componentId:17, translationId:40 */
  _id: string;
  at: Date;
}

/** The last allocated id of each kind. */
export interface CounterDocument {
  _id: string;
  last: number;
}

/** Retention of removed scopes, in seconds: longer than any upload that started before the removal. */
const REMEMBER_SECONDS = 24 * 3600;

const free = { strict: false, versionKey: false as const, autoIndex: false, autoCreate: false };

/** The models of the media service on a connection. */
export function makeModels(connection: Connection) {
  const screenshot = new Schema<ScreenshotDocument>({ _id: Number }, { ...free, collection: 'screenshots' });
  screenshot.index({ componentId: 1, _id: 1 });
  screenshot.index({ translationId: 1, _id: 1 });
  screenshot.index({ projectId: 1 });
  screenshot.index({ 'image.key': 1 });
  screenshot.index({ untidy: 1 }, { sparse: true });
  screenshot.index({ 'outbox.timeMs': 1 }, { sparse: true });
  const expected = new Schema<ExpectedDocument>({ _id: String }, { ...free, collection: 'expected_objects' });
  expected.index({ until: 1 });
  const place = new Schema<RemovedPlaceDocument>({ _id: String }, { ...free, collection: 'removed_places' });
  place.index({ at: 1 }, { expireAfterSeconds: REMEMBER_SECONDS });
  const counter = new Schema<CounterDocument>({ _id: String }, { ...free, collection: 'counters' });
  return {
    screenshots: connection.model<ScreenshotDocument>('Screenshot', screenshot),
    expected: connection.model<ExpectedDocument>('ExpectedObject', expected),
    places: connection.model<RemovedPlaceDocument>('RemovedPlace', place),
    counters: connection.model<CounterDocument>('Counter', counter),
  };
}

export type Models = ReturnType<typeof makeModels>;
