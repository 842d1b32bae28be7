import type { OutgoingEvent } from '@parlance/events';
import {
  counterSchema,
  documentSchema,
  objectSchema,
  optional,
  required,
  typed,
  type CounterDocument,
  type DocumentOf,
} from '@parlance/store-kit';
import type { Connection } from 'mongoose';

/** Retention of removed scopes, in seconds: longer than any upload that started before the removal. */
const REMEMBER_SECONDS = 24 * 3600;

const image = objectSchema({
  /** Key of the object; unique for every upload. */
  key: required(String),
  filename: required(String),
  contentType: required(String),
  size: required(Number, { min: 0 }),
  width: required(Number, { min: 0 }),
  height: required(Number, { min: 0 }),
  /** SHA-256 of the bytes. */
  etag: required(String),
});

const screenshot = documentSchema('screenshots', {
  _id: required(Number),
  version: required(Number, { min: 1 }),
  name: required(String),
  projectId: required(Number),
  componentId: required(Number),
  translationId: required(Number),
  languageCode: required(String),
  repositoryFilename: required(String),
  /** In order of attachment. */
  unitIds: required([Number]),
  image: required(image),
  userId: required(Number),
  createdMs: required(Number),
  updatedMs: required(Number),
  // Events are described by libs/events.
  outbox: required([typed<OutgoingEvent>()]),
  /** Keys of unused objects. */
  waste: required([String]),
  /** Hidden from readers; the document is deleted after its object. */
  removed: optional(Boolean),
  /** Has waste or is deleted: selects documents for the cleanup. */
  untidy: optional(Boolean),
});
screenshot.index({ componentId: 1, _id: 1 });
screenshot.index({ translationId: 1, _id: 1 });
screenshot.index({ projectId: 1 });
screenshot.index({ 'image.key': 1 });
screenshot.index({ untidy: 1 }, { sparse: true });
screenshot.index({ 'outbox.timeMs': 1 }, { sparse: true });
export type ScreenshotDocument = DocumentOf<typeof screenshot>;

const font = documentSchema('fonts', {
  _id: required(Number),
  projectId: required(Number),
  family: required(String),
  style: required(String),
  weight: required(Number, { min: 1, max: 1000 }),
  italic: required(Boolean),
  characters: required(Number, { min: 1 }),
  /** Key of the object. */
  key: required(String),
  filename: required(String),
  contentType: required(String),
  size: required(Number, { min: 0 }),
  /** SHA-256 of the bytes. */
  etag: required(String),
  userId: required(Number),
  createdMs: required(Number),
  unitsPerEm: required(Number, { min: 1 }),
  /** Characters, ascending, as 32-bit little-endian numbers. */
  codePoints: required(Buffer),
  /** Their advances, as 16-bit little-endian numbers. */
  advances: required(Buffer),
  // Events are described by libs/events.
  outbox: required([typed<OutgoingEvent>()]),
  /** Hidden from readers; the document is deleted after its object. */
  removed: optional(Boolean),
});
font.index({ projectId: 1, _id: 1 });
font.index({ key: 1 });
font.index({ removed: 1 }, { sparse: true });
font.index({ 'outbox.timeMs': 1 }, { sparse: true });
export type FontDocument = DocumentOf<typeof font>;

/** An object during its upload. */
const expected = documentSchema('expected_objects', {
  /** Its key. */
  _id: required(String),
  until: required(Date),
});
expected.index({ until: 1 });
export type ExpectedDocument = DocumentOf<typeof expected>;

/** A deleted project, component or translation. */
const removedPlace = documentSchema('removed_places', {
  /** projectId:3, componentId:17, translationId:40 */
  _id: required(String),
  at: required(Date),
});
removedPlace.index({ at: 1 }, { expireAfterSeconds: REMEMBER_SECONDS });

/** The models of the media service on a connection. */
export function makeModels(connection: Connection) {
  return {
    screenshots: connection.model<ScreenshotDocument>('Screenshot', screenshot),
    fonts: connection.model<FontDocument>('Font', font),
    expected: connection.model<ExpectedDocument>('ExpectedObject', expected),
    places: connection.model<DocumentOf<typeof removedPlace>>('RemovedPlace', removedPlace),
    counters: connection.model<CounterDocument>('Counter', counterSchema()),
  };
}

export type Models = ReturnType<typeof makeModels>;
