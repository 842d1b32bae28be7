import type { ProjectRules } from '@parlance/store-kit';
import type { RepositoryDocument } from './models';

const same = (kind: string, id: string) => ({ kind, from: id, to: id });

/** How a project is restored from a backup into this database. Clones are made again from the remotes and the stored commits. */
export const projectRules: ProjectRules = {
  components: {
    write(document, ids) {
      const moved = ids.moved(document, { _id: 'node', project: 'project' });
      return moved && { insert: moved };
    },
    refersTo: ({ repository }) => [same('repository', repository as string)],
    ofProject: (project) => ({ project }),
  },
  repositories: {
    // A repository of another project's component is in the store.
    write(document, ids) {
      const moved = ids.has('repository', document['_id']) ? ids.moved(document, { owner: 'node' }) : undefined;
      const idle = { leaseOwner: '', leaseTicket: '', leaseUntil: new Date(0), queue: [], outbox: [] };
      return moved && { insert: { ...moved, ...idle } };
    },
    refersTo: (document) => (document as unknown as RepositoryDocument).saved.map(({ id }) => same('bundle', id)),
  },
  commits: {
    write: (document, ids) => (ids.has('bundle', document['bundle']) ? { insert: document } : undefined),
  },
};
