import { ServiceError } from '@parlance/errors';
import {
  BACKUP_STATE,
  driverCollection,
  type BackedUpDocument,
  type ProjectRules,
  type RestoredIds,
} from '@parlance/store-kit';
import { PROJECT_STATE } from './project-restore-store';
import type { ComponentDocument, Models } from '../models';
import { writeStamp } from '../store-writes';

/** Projects and owners of repositories of the installation, to which restored components may refer. */
class Existing {
  projects: ReadonlySet<number> = new Set();
  owners: ReadonlySet<number> = new Set();

  constructor(private readonly models: Pick<Models, 'projects' | 'nodes'>) {}

  async load(): Promise<void> {
    this.projects = new Set((await this.models.projects.distinct('_id', { removed: false })) as number[]);
    const owners = { kind: 'component' as const, linkedId: 0 };
    const found = driverCollection<ComponentDocument>(this.models.nodes).find(owners, { projection: { _id: 1 } });
    this.owners = new Set((await found.toArray()).map(({ _id }) => _id));
  }
}

/** A component or category, which is hidden until the project is complete. */
function restoredNode(document: BackedUpDocument, ids: RestoredIds, existing: Existing): BackedUpDocument | undefined {
  const moved = ids.moved(document, { projectId: 'project', categoryId: 'node' });
  if (!moved) return undefined;
  const node = { ...moved, ...writeStamp(), kind: 'hidden', outbox: [] };
  if (document['kind'] !== 'component') return document['deleting'] === undefined ? node : undefined;
  const { holds: _holds, ...component } = node as unknown as ComponentDocument;
  const linkedId = ids.number('node', component.linkedId) ?? component.linkedId;
  if (linkedId !== 0 && linkedId === component.linkedId && !existing.owners.has(linkedId)) {
    throw new ServiceError('FAILED_PRECONDITION', {
      message: `The component "${component.settings.name}" uses the repository of a component of another project, which was deleted.`,
    });
  }
  const links = component.links.filter((project) => existing.projects.has(project));
  return { ...component, linkedId, links, taskId: '' };
}

const isNode = ({ kind }: BackedUpDocument): boolean => kind === 'component' || kind === 'category';

/** How a project is restored from a backup into this database. The decision: docs/adr/0048-restore-one-project-with-new-ids.md. */
export function projectRules(models: Pick<Models, 'projects' | 'nodes'>): ProjectRules {
  const existing = new Existing(models);
  return {
    // The project itself is kept aside: its insertion makes everything visible.
    projects: {
      into: BACKUP_STATE,
      write(document, ids) {
        const id = ids.number('project', document['_id']);
        if (id === undefined) return undefined;
        const { categoryTree, ...project } = document as BackedUpDocument & { categoryTree?: { version: number } };
        const tree = categoryTree ? { categoryTree: { version: categoryTree.version, pending: null } } : {};
        const restored = { ...project, ...tree, _id: id, outbox: [] };
        return { update: { $set: { project: restored } }, filter: { _id: PROJECT_STATE, holder: String(id) } };
      },
    },
    nodes: {
      newIds: {
        kind: 'node',
        sequence: 'node',
        belongs: (document, ids) => isNode(document) && ids.has('project', document['projectId']),
      },
      around: () => existing.load(),
      write(document, ids) {
        const node = isNode(document) ? restoredNode(document, ids, existing) : undefined;
        return node && { insert: node };
      },
    },
    labels: {
      write(document, ids) {
        const label = ids.moved(document, { projectId: 'project' });
        return label && { insert: label };
      },
      ofProject: (projectId) => ({ projectId }),
    },
    addons: {
      write(document, ids) {
        if (document['removed'] === true || document['projectId'] === 0) return undefined;
        const addon = ids.moved(document, { componentId: 'node', projectId: 'project' });
        if (!addon) return undefined;
        const [, , ...name] = (addon['place'] as string).split('/');
        const place = [addon['componentId'], addon['projectId'], ...name].join('/');
        return { insert: { ...addon, ...writeStamp(), place, outbox: [] } };
      },
      ofProject: (projectId) => ({ projectId }),
    },
    componentlists: {
      write(document, ids) {
        const components = (document['componentIds'] as number[]).flatMap((id) => ids.number('node', id) ?? []);
        if (components.length === 0) return undefined;
        return {
          update: { $addToSet: { componentIds: { $each: components } } },
          filter: { _id: document['_id'] },
        };
      },
    },
  };
}
