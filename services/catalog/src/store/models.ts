import type { OutgoingEvent } from '@parlance/events';
import {
  documentSchema,
  objectSchema,
  optional,
  optionalNullable,
  required,
  retried,
  typed,
  type DocumentOf,
} from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import type { Category, Component } from '../domain/objects';
import { componentSettings, projectSettings } from './settings-schemas';

/** Events of the write that may not have been published yet; described by libs/events. */
const outbox = required([typed<OutgoingEvent>()]);

const version = required(Number, { min: 1 });

/** Written by every write. */
const writeStamp = {
  /** Time of the last write, milliseconds since the epoch: snapshots query it. */
  updatedMs: required(Number),
  /** Changes with every write. */
  stamp: required(String),
};

/** Kept until its events are published and every process has seen the deletion. */
const removed = required(Boolean);

/** A write to a project's tree that may not have been executed yet. */
export type PendingWrite = ({ category: Category } | { component: Component }) & { events: OutgoingEvent[] };

/** Version and pending write of a project's category tree. */
const categoryTree = objectSchema({
  version: required(Number),
  // A union of whole objects, which is only executed and never queried.
  pending: optionalNullable(typed<PendingWrite>()),
});
export type CategoryTreeState = DocumentOf<typeof categoryTree>;

const project = documentSchema('projects', {
  _id: required(Number),
  version,
  createdMs: required(Number),
  settings: required(projectSettings),
  /** Sealed; empty: none. */
  hookSecret: required(String),
  ...writeStamp,
  removed,
  outbox,
  /** Absent: the project has never had a category. */
  categoryTree: optional(categoryTree),
});
project.index({ 'settings.slug': 1 }, { unique: true });
project.index({ 'settings.name': 1 }, { unique: true });
project.index({ updatedMs: 1 });
project.index({ 'outbox.timeMs': 1 }, { sparse: true });
export type ProjectDocument = DocumentOf<typeof project>;

/**
 * Components and categories share a collection because names and slugs are unique among both.
 * `hidden` are components of a deleted project; `removed` documents are kept until their events are published and every process
 * has seen it.
 */
const nodeKinds = ['component', 'category', 'hidden', 'removed'] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** Fields of components and categories. */
const nodeFields = {
  _id: required(Number),
  kind: required(String, { enum: nodeKinds }),
  version,
  projectId: required(Number),
  /** 0: directly in the project. */
  categoryId: required(Number),
  /** Tree version with which the node was put in its place. */
  treeVersion: optional(Number),
  ...writeStamp,
  outbox,
};

const component = documentSchema('nodes', {
  ...nodeFields,
  createdMs: required(Number),
  /** 0: it has its own repository. */
  linkedId: required(Number),
  sourceLanguage: required(String),
  settings: required(componentSettings),
  /** Sealed credentials of the addresses; empty: none. */
  repoSecret: required(String),
  pushSecret: required(String),
  branchIsDefault: required(Boolean),
  repoKeys: required([String]),
  locked: required(Boolean),
  lockReason: required(String),
  taskId: required(String),
  /** Other projects that show the component. */
  links: required([Number]),
  languages: required([String]),
  /** Expiry times of pending links to the component's repository; holds left by a crash expire. */
  holds: optional([objectSchema({ key: required(String), untilMs: required(Number) })]),
});
component.index({ projectId: 1, categoryId: 1, 'settings.slug': 1 }, { unique: true });
component.index({ projectId: 1, categoryId: 1, 'settings.name': 1 }, { unique: true });
component.index({ updatedMs: 1 });
component.index({ linkedId: 1 });
component.index({ repoKeys: 1 });
component.index({ links: 1 });
component.index({ 'outbox.timeMs': 1 }, { sparse: true });
export type ComponentDocument = DocumentOf<typeof component>;
/** Tree version with which a node was put in its place. */
export type WithOrder = Pick<ComponentDocument, 'treeVersion'>;

/** Categories are read and written by the driver only; the model of the collection is that of components. */
export const category = documentSchema('nodes', {
  ...nodeFields,
  settings: required(
    objectSchema({
      name: required(String),
      slug: required(String),
      // Free keys: the settings that components of the category inherit.
      configuration: required(typed<Record<string, unknown>>()),
    }),
  ),
  /** Deletion has begun: no objects can be added. */
  deleting: optional(typed<true>(Boolean)),
});
export type CategoryDocument = DocumentOf<typeof category>;

const language = documentSchema('languages', {
  _id: required(Number),
  version,
  code: required(String),
  name: required(String),
  direction: required(String),
  population: required(Number),
  aliases: required([String]),
  plural: required(
    objectSchema({
      id: required(Number),
      source: required(Number),
      number: required(Number),
      formula: required(String),
      type: required(Number),
    }),
  ),
  ...writeStamp,
  removed,
  /** Changed or created by users or from file names: the predefined table does not update it. */
  own: required(Boolean),
});
language.index({ code: 1 }, { unique: true });
language.index({ updatedMs: 1 });
export type LanguageDocument = DocumentOf<typeof language>;

const label = documentSchema('labels', {
  _id: required(Number),
  projectId: required(Number),
  name: required(String),
  description: required(String),
  color: required(String),
});
label.index({ projectId: 1, name: 1 }, { unique: true });
export type LabelDocument = DocumentOf<typeof label>;

const list = documentSchema('componentlists', {
  _id: required(Number),
  version,
  name: required(String),
  slug: required(String),
  showDashboard: required(Boolean),
  componentIds: required([Number]),
  autoAssign: required([objectSchema({ projectMatch: required(String), componentMatch: required(String) })]),
});
list.index({ slug: 1 }, { unique: true });
list.index({ name: 1 }, { unique: true });
list.index({ componentIds: 1 });
export type ComponentListDocument = DocumentOf<typeof list>;

const addon = documentSchema('addons', {
  _id: required(Number),
  version,
  name: required(String),
  /** 0: a project or the site. */
  componentId: required(Number),
  /** The project that it is installed in, or its component's project; 0: the site. */
  projectId: required(Number),
  // Free keys: each add-on defines its own.
  configuration: required(typed<Record<string, unknown>>()),
  ...writeStamp,
  removed,
  /** Unique key: allows at most one add-on of a name in a scope, where required. */
  place: required(String),
  outbox,
});
addon.index({ place: 1 }, { unique: true });
addon.index({ componentId: 1, _id: 1 });
addon.index({ projectId: 1, _id: 1 });
addon.index({ name: 1 });
addon.index({ updatedMs: 1 });
addon.index({ 'outbox.timeMs': 1 }, { sparse: true });
export type AddonDocument = DocumentOf<typeof addon>;

/** Acceptance of a component's agreement by a user. */
const agreement = documentSchema('agreements', {
  /** Component and user. */
  _id: required(String),
  componentId: required(Number),
  userId: required(Number),
  digest: required(String),
  timeMs: required(Number),
});
agreement.index({ componentId: 1 });
agreement.index({ userId: 1 });
export type AgreementDocument = DocumentOf<typeof agreement>;

/** The maintenance mode; exists while it is on. */
const maintenance = documentSchema('maintenance', {
  _id: required(String),
  message: required(String),
  retryAfterSeconds: required(Number, { min: 0 }),
  sinceMs: required(Number),
  /** Absent in documents of older versions. */
  untilMs: optional(Number),
});
export type MaintenanceDocument = DocumentOf<typeof maintenance>;

/** Last allocated ids, and markers of one-time work. */
const counter = documentSchema('counters', {
  _id: required(String),
  last: optional(Number),
  mark: optional(String),
});

/** The models of the catalog on a connection. */
export function makeModels(connection: Connection) {
  return {
    projects: connection.model<ProjectDocument>('Project', project),
    nodes: connection.model<ComponentDocument>('Node', component),
    languages: connection.model<LanguageDocument>('Language', language),
    labels: connection.model<LabelDocument>('Label', label),
    lists: connection.model<ComponentListDocument>('ComponentList', list),
    addons: connection.model<AddonDocument>('Addon', addon),
    agreements: connection.model<AgreementDocument>('Agreement', agreement),
    counters: connection.model<DocumentOf<typeof counter>>('Counter', counter),
    maintenance: connection.model<MaintenanceDocument>('Maintenance', maintenance),
  };
}
export type Models = ReturnType<typeof makeModels>;

/** Creates the indexes, with one command for each collection; cheap if they exist. */
export async function ensureIndexes(models: Models): Promise<void> {
  await Promise.all(
    Object.values(models).map(async ({ schema, collection }) => {
      const indexes = schema.indexes().map(([key, { unique, sparse }]) => ({
        key: key as Record<string, 1>,
        ...(unique ? { unique: true } : {}),
        ...(sparse ? { sparse: true } : {}),
      }));
      if (indexes.length > 0) await retried(() => collection.createIndexes(indexes));
    }),
  );
}
