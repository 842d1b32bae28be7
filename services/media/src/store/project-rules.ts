import type { ProjectRules } from '@parlance/store-kit';
import type { ScreenshotDocument } from './models';

/** How a project is restored from a backup into this database. Images and font files are copied as objects. */
export const projectRules: ProjectRules = {
  screenshots: {
    write(document, ids) {
      const { removed, untidy: _untidy, ...screenshot } = document;
      const moved =
        removed === true
          ? undefined
          : ids.moved(screenshot, { projectId: 'project', componentId: 'node', translationId: 'translation' });
      return moved && { insert: { ...moved, outbox: [], waste: [] } };
    },
    refersTo(document) {
      const { key } = document['image'] as ScreenshotDocument['image'];
      return [{ kind: 'image', from: key, to: key }];
    },
    ofProject: (projectId) => ({ projectId }),
  },
  fonts: {
    write(document, ids) {
      const { removed, ...font } = document;
      const moved = removed === true ? undefined : ids.moved(font, { projectId: 'project' });
      return moved && { insert: { ...moved, outbox: [] } };
    },
    refersTo: ({ key }) => [{ kind: 'image', from: String(key), to: String(key) }],
    ofProject: (projectId) => ({ projectId }),
  },
};
