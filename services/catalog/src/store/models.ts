import type { OutgoingEvent } from '@parlance/events';
import { Schema, type Connection } from 'mongoose';
import type { Addon, Category, Component, ComponentList, Label, Language, Project } from '../domain/objects';

type Stored<T extends { id: number }> = Omit<T, 'id'> & { _id: number };
/** Events that the write announced and that are not known to be published yet. */
interface WithOutbox {
  outbox: OutgoingEvent[];
}

/** When the document was last written, milliseconds since the epoch: what the directory looks for. */
interface WithTime {
  updatedMs: number;
  /** Another one with every write. */
  stamp: string;
}

/** `removed`: kept until its events are published and every process has heard of the removal. */
export type ProjectDocument = Stored<Project> &
  WithOutbox &
  WithTime & {
    removed: boolean;
    /** Absent: no category was ever written. */
    categoryTree?: CategoryTreeState;
  };

/** A write of a project's tree that may not have reached its own document yet. */
export type PendingWrite = ({ category: Category } | { component: Component }) & { events: OutgoingEvent[] };

/** How often the tree of a project's categories was written. */
export interface CategoryTreeState {
  version: number;
  pending?: PendingWrite | null;
}

/** Until when others are about to share the component's repository; what a crash leaves behind ends by itself. */
interface WithHolds {
  holds?: { key: string; untilMs: number }[];
}

/** The version of the tree with which a node was put where it lies. */
export interface WithOrder {
  treeVersion?: number;
}

/**
 * Components and categories lie in one collection because names and slugs are unique among both. `kind` says what it is:
 * `hidden` are components of a removed project, `removed` is kept until its events are published and every process has heard of it.
 */
export type NodeKind = 'component' | 'category' | 'hidden' | 'removed';
export type ComponentDocument = Stored<Component> & WithOutbox & WithTime & WithOrder & WithHolds & { kind: NodeKind };
export type CategoryDocument = Stored<Category> & WithOutbox & WithTime & WithOrder & { kind: NodeKind };
export type LanguageDocument = Stored<Language> &
  WithTime & {
    removed: boolean;
    /** Changed or made by people or from file names: the predefined table no longer decides. */
    own: boolean;
  };
export type LabelDocument = Stored<Label>;
export type ComponentListDocument = Stored<ComponentList>;
export type AddonDocument = Stored<Addon> &
  WithOutbox &
  WithTime & {
    removed: boolean;
    /** Unique: allows one add-on of a name in one place where only one may be. */ place: string;
  };
/** Who accepted which wording of a component's agreement. */
export interface AgreementDocument {
  /** Component and user. */
  _id: string;
  componentId: number;
  userId: number;
  digest: string;
  timeMs: number;
}
/** The next free id of each kind of object, and marks of work that is done once. */
export interface CounterDocument {
  _id: string;
  next?: number;
  mark?: string;
}

const free = { strict: false, versionKey: false as const, autoIndex: false, autoCreate: false };

/** The models of the catalog on a connection. Their documents are shaped by the interfaces above. */
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
  return {
    projects: connection.model('Project', project),
    nodes: connection.model('Node', node),
    languages: connection.model('Language', language),
    labels: connection.model('Label', label),
    lists: connection.model('ComponentList', list),
    addons: connection.model('Addon', addon),
    agreements: connection.model('Agreement', agreement),
    counters: connection.model('Counter', counter),
  };
}
export type Models = ReturnType<typeof makeModels>;

/** Makes the collections' indexes, with one command a collection; cheap when they are there. */
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
