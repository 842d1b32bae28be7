import type { ProjectRules } from '@parlance/store-kit';

/** How a project is restored from a backup into this database. The catalog registers the webhooks of add-ons again. */
export const projectRules: ProjectRules = {
  subscriptions: {
    ownIds: 'subscription',
    write(document, ids) {
      if (document['addonId'] !== 0 || document['projectId'] === 0) return undefined;
      const moved = ids.moved(document, { projectId: 'project', componentId: 'node' });
      return moved && { insert: moved };
    },
  },
};
