import type { OutgoingEvent } from '@parlance/events';
import { Schema, type Connection } from 'mongoose';
import type { Addon, Category, Component, ComponentList, Label, Language, Project } from '../domain/objects';
import type { Maintenance } from '../domain/ports';

type Stored<T extends { id: number }> = Omit<T, 'id'> & { _id: number };
/** Events of the write that may not have been published yet. */
interface WithOutbox {
  outbox: OutgoingEvent[];
}

/** Time of the last write, milliseconds since the epoch: snapshots query it. */
interface WithTime {
  updatedMs: number;
  /** Changes with every write. */
  stamp: string;
}

/** `removed`: kept until its events are published and every process has seen the deletion. */
export type ProjectDocument = Stored<Project> &
  WithOutbox &
  WithTime & {
    removed: boolean;
    /** Absent: the project has never had a category. */
    categoryTree?: CategoryTreeState;
  };

/** A write to a project's tree that may not have been executed yet. */
export type PendingWrite = ({ category: Category } | { component: Component }) & { events: OutgoingEvent[] };

/** Version and pending write of a project's category tree. */
export interface CategoryTreeState {
  version: number;
  pending?: PendingWrite | null;
}

/** Expiry times of pending links to the component's repository; holds left by a crash expire. */
interface WithHolds {
  holds?: { key: string; untilMs: number }[];
}

/** Tree version with which a node was put in its place. */
export interface WithOrder {
  treeVersion?: number;
}

/**
 * Components and categories share a collection because names and slugs are unique among both. `kind`:
 * `hidden` are components of a deleted project; `removed` documents are kept until their events are published and every process
 * has seen it.
 */
export type NodeKind = 'component' | 'category' | 'hidden' | 'removed';
export type ComponentDocument = Stored<Component> & WithOutbox & WithTime & WithOrder & WithHolds & { kind: NodeKind };
export type CategoryDocument = Stored<Category> & WithOutbox & WithTime & WithOrder & { kind: NodeKind };
export type LanguageDocument = Stored<Language> &
  WithTime & {
    removed: boolean;
    /** Changed or created by users or from file names: the predefined table does not update it. */
    own: boolean;
  };
export type LabelDocument = Stored<Label>;
export type ComponentListDocument = Stored<ComponentList>;
export type AddonDocument = Stored<Addon> &
  WithOutbox &
  WithTime & {
    removed: boolean;
    /** Unique key: allows at most one add-on of a name in a scope, where required. */ place: string;
  };
/** Acceptance of a component's agreement by a user. */
export interface AgreementDocument {
  /** Component and user. */
  _id: string;
  componentId: number;
  userId: number;
  digest: string;
  timeMs: number;
}
export type MaintenanceDocument = Maintenance & { _id: string };
/** The next free id of each kind of object, and markers of one-time work. */
export interface CounterDocument {
  _id: string;
  next?: number;
  mark?: string;
}

const free = { strict: false, versionKey: false as const, autoIndex: false, autoCreate: false };

/** The models of the catalog on a connection. */
export function makeModels(connection: Connection) {
  const project = new Schema<ProjectDocument>({ _id: Number }, { ...free, collection: 'projects' });
  project.index({ 'settings.slug': 1 }, { unique: true });
  project.index({ 'settings.name': 1 }, { unique: true });
  project.index({ updatedMs: 1 });
  project.index({ 'outbox.timeMs': 1 }, { sparse: true });

  const node = new Schema<ComponentDocument>({ _id: Number }, { ...free, collection: 'nodes' });
  node.index({ projectId: 1, categoryId: 1, 'settings.slug': 1 }, { unique: true });
  node.index({ projectId: 1, categoryId: 1, 'settings.name': 1 }, { unique: true });
  node.index({ updatedMs: 1 });
  node.index({ linkedId: 1 });
  node.index({ repoKeys: 1 });
  node.index({ links: 1 });
  node.index({ 'outbox.timeMs': 1 }, { sparse: true });

  const language = new Schema<LanguageDocument>({ _id: Number }, { ...free, collection: 'languages' });
  language.index({ code: 1 }, { unique: true });
  language.index({ updatedMs: 1 });

  const label = new Schema<LabelDocument>({ _id: Number }, { ...free, collection: 'labels' });
  label.index({ projectId: 1, name: 1 }, { unique: true });

  const list = new Schema<ComponentListDocument>({ _id: Number }, { ...free, collection: 'componentlists' });
  list.index({ slug: 1 }, { unique: true });
  list.index({ name: 1 }, { unique: true });
  list.index({ componentIds: 1 });

  const addon = new Schema<AddonDocument>({ _id: Number }, { ...free, collection: 'addons' });
  addon.index({ place: 1 }, { unique: true });
  addon.index({ componentId: 1, _id: 1 });
  addon.index({ projectId: 1, _id: 1 });
  addon.index({ name: 1 });
  addon.index({ updatedMs: 1 });
  addon.index({ 'outbox.timeMs': 1 }, { sparse: true });

  const agreement = new Schema<AgreementDocument>({ _id: String }, { ...free, collection: 'agreements' });
  agreement.index({ componentId: 1 });
  agreement.index({ userId: 1 });

  const counter = new Schema<CounterDocument>({ _id: String }, { ...free, collection: 'counters' });
  const maintenance = new Schema<MaintenanceDocument>({ _id: String }, { ...free, collection: 'maintenance' });
  return {
    projects: connection.model('Project', project),
    nodes: connection.model('Node', node),
    languages: connection.model('Language', language),
    labels: connection.model('Label', label),
    lists: connection.model('ComponentList', list),
    addons: connection.model('Addon', addon),
    agreements: connection.model('Agreement', agreement),
    counters: connection.model('Counter', counter),
    maintenance: connection.model('Maintenance', maintenance),
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
      if (indexes.length > 0) await collection.createIndexes(indexes);
    }),
  );
}
