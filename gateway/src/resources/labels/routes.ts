import { labelSettings } from '@parlance/contracts';
import { created, noContent, type Endpoint } from '../../routing/endpoint';
import { idParam, readFields } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentLabel } from './present';
import { pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { labelSchema } from './schema';

const LABELS_PATH = '/api/projects/:project/labels/';

export const labelEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: LABELS_PATH,
    response: pageSchema(labelSchema),
    access: 'anyone',
    doc: 'Lists the labels of a project.',
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const answer = await call.clients.catalog.listLabels({ projectId: call.project.id, page }, call.options);
          return { items: answer.labels, total: answer.total };
        },
        (items) => items.map(presentLabel),
      ),
  },
  {
    method: 'POST',
    path: LABELS_PATH,
    success: [201],
    response: labelSchema,
    access: { any: ['project.edit'] },
    doc: 'Creates a label.',
    body: { fields: labelSettings },
    async handle(call) {
      const request = { projectId: call.project.id, label: await readFields(call, labelSettings, 'create') };
      const { label } = await call.clients.catalog.createLabel(request, call.options);
      return created(presentLabel(label!));
    },
  },
  {
    method: 'DELETE',
    path: `${LABELS_PATH}:label/`,
    access: { any: ['project.edit'] },
    doc: 'Removes a label.',
    async handle(call) {
      await call.clients.catalog.deleteLabel({ projectId: call.project.id, id: idParam(call, 'label') }, call.options);
      return noContent;
    },
  },
];
