import { driverCollection } from '@parlance/store-kit';
import type { Language } from '../domain/objects';
import type { AddonEntry, SnapshotSource, LanguageEntry, NodeEntry, ProjectEntry } from '../domain/ports';
import type { AddonDocument, ComponentDocument, LanguageDocument, Models, NodeKind, ProjectDocument } from './models';

interface ShortProject {
  _id: number;
  stamp: string;
  removed: boolean;
  settings: { slug: string; name: string; accessControl: number };
}
interface ShortNode {
  _id: number;
  stamp: string;
  kind: NodeKind;
  projectId: number;
  categoryId: number;
  locked?: boolean;
  languages?: string[];
  settings: { slug: string; name: string; restricted?: boolean };
}

/** Reads the fields of the catalog snapshot. */
export class MongoSnapshotSource implements SnapshotSource {
  constructor(private readonly models: Models) {}

  async projects(sinceMs: number): Promise<ProjectEntry[]> {
    const projection = { stamp: 1, removed: 1, 'settings.slug': 1, 'settings.name': 1, 'settings.accessControl': 1 };
    const filter = sinceMs > 0 ? { updatedMs: { $gte: sinceMs } } : { removed: false };
    const found = await driverCollection<ProjectDocument>(this.models.projects)
      .find<ShortProject>(filter, { projection })
      .toArray();
    return found.map((d) => ({
      id: d._id,
      stamp: d.stamp,
      removed: d.removed,
      slug: d.settings.slug,
      name: d.settings.name,
      accessControl: d.settings.accessControl,
    }));
  }

  async nodes(sinceMs: number): Promise<NodeEntry[]> {
    const projection = {
      stamp: 1,
      kind: 1,
      projectId: 1,
      categoryId: 1,
      locked: 1,
      languages: 1,
      'settings.slug': 1,
      'settings.name': 1,
      'settings.restricted': 1,
    };
    const filter =
      sinceMs > 0 ? { updatedMs: { $gte: sinceMs } } : { kind: { $in: ['component', 'category'] as NodeKind[] } };
    const found = await driverCollection<ComponentDocument>(this.models.nodes)
      .find<ShortNode>(filter, { projection })
      .toArray();
    return found.map((d) => ({
      id: d._id,
      stamp: d.stamp,
      kind: d.kind === 'component' || d.kind === 'category' ? d.kind : 'removed',
      projectId: d.projectId,
      categoryId: d.categoryId,
      slug: d.settings.slug,
      name: d.settings.name,
      restricted: d.settings.restricted ?? false,
      locked: d.locked ?? false,
      languages: d.languages ?? [],
    }));
  }

  async languages(sinceMs: number): Promise<LanguageEntry[]> {
    const filter = sinceMs > 0 ? { updatedMs: { $gte: sinceMs } } : { removed: false };
    const found = await driverCollection<LanguageDocument>(this.models.languages).find(filter).toArray();
    return found.map(({ _id, own: _own, removed, updatedMs: _updatedMs, stamp: _stamp, ...rest }) => ({
      id: _id,
      removed,
      ...(rest as Omit<Language, 'id'>),
    }));
  }

  async addons(sinceMs: number): Promise<AddonEntry[]> {
    const filter = sinceMs > 0 ? { updatedMs: { $gte: sinceMs } } : { removed: false };
    const found = await driverCollection<AddonDocument>(this.models.addons)
      .find<Pick<AddonDocument, '_id' | 'removed' | 'componentId'>>(filter, {
        projection: { removed: 1, componentId: 1 },
      })
      .toArray();
    return found.map((d) => ({
      id: d._id,
      removed: d.removed,
      componentId: d.componentId,
    }));
  }
}
