import { ServiceError } from '@parlance/errors';
import type { CallContext, Implementation } from './types';

/** An id of a backup and the one of the restored object. */
interface RestoredId {
  kind: string;
  from: string;
  to: string;
}

/** The documents of a service that belong to projects. */
export interface BackedUpProjects {
  readonly collections: { name: string; allocates: boolean }[];
  /** Collections in which documents of deleted projects are left. */
  remaining(projects: readonly number[]): Promise<string[]>;
  /** Allocates new ids for the documents of the project. */
  allocate(collection: string, ids: readonly RestoredId[], batches: AsyncIterable<Buffer>): Promise<RestoredId[]>;
  /** Selects and stores the documents of the project. */
  load(
    collection: string,
    ids: readonly RestoredId[],
    batches: AsyncIterable<Buffer>,
  ): Promise<{ documents: number; ids: RestoredId[] }>;
  finish(project: number): Promise<void>;
}

/** Begins and ends the restore of a project. */
export interface ProjectRestores {
  /** @returns its new id, and that of an interrupted restore, whose deletion was announced; 0: none */
  begin(project: { id: number; slug: string; name: string }): Promise<{ projectId: number; abandonedId: number }>;
  /** Announces the deletion of the loaded documents. */
  abandon(project: number): Promise<void>;
}

/** How a service restores single projects. */
export interface ProjectBackups {
  documents: BackedUpProjects;
  /** Only of the service that owns projects. */
  restores?: ProjectRestores;
}

type Methods = 'describeProjects' | 'beginProject' | 'loadProject' | 'finishProject' | 'abandonProject';

/** Handlers of the restore of one project. */
export function projectHandlers(
  requireOperator: (context: CallContext) => void,
  projects: ProjectBackups | undefined,
): Pick<Implementation<'backup'>, Methods> {
  const documents = () => {
    if (!projects) throw new ServiceError('FAILED_PRECONDITION', { message: 'The service has no data of projects.' });
    return projects;
  };
  const restores = () => {
    const found = documents().restores;
    if (!found) throw new ServiceError('FAILED_PRECONDITION', { message: 'The service does not own projects.' });
    return found;
  };
  return {
    async describeProjects({ projectIds }, context) {
      requireOperator(context);
      if (!projects) return { collections: [], remaining: [] };
      return {
        collections: projects.documents.collections,
        remaining: await projects.documents.remaining(projectIds),
      };
    },
    async beginProject({ projectId, slug, name }, context) {
      requireOperator(context);
      return restores().begin({ id: projectId, slug, name });
    },
    async loadProject(requests, context) {
      requireOperator(context);
      const { documents: store } = documents();
      const reader = requests[Symbol.asyncIterator]();
      const received: RestoredId[] = [];
      let next = await reader.next();
      if (next.done) throw new ServiceError('FAILED_PRECONDITION', { message: 'The request has no collection.' });
      const { collection, allocate } = next.value;
      for (; !next.done && next.value.documents.length === 0; next = await reader.next())
        received.push(...next.value.ids);
      async function* batches() {
        for (; !next.done; next = await reader.next()) yield next.value.documents;
      }
      if (allocate) return { documents: 0, ids: await store.allocate(collection, received, batches()) };
      return store.load(collection, received, batches());
    },
    async finishProject({ projectId }, context) {
      requireOperator(context);
      await documents().documents.finish(projectId);
      return {};
    },
    async abandonProject({ projectId }, context) {
      requireOperator(context);
      await restores().abandon(projectId);
      return {};
    },
  };
}
