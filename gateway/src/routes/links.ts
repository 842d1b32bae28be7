import type { SettingsTable } from '@parlance/contracts';
import { view } from '../directory/directory';
import { created, noContent, ok, type Endpoint } from '../http/endpoint';
import { requireText } from '../http/input';
import { list } from '../http/lists';
import { presentComponent, presentProject } from '../presenters/catalog';
import { pages } from './shared';

const projectField = [
  { name: 'project_slug', type: 'string', required: true, doc: 'Slug of the project that shows the component too.' },
] as const satisfies SettingsTable;

const editors = { any: ['component.edit'] } as const;
const P = '/api/components/:project/:component/links/';

export const linkEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: P,
    access: 'anyone',
    doc: 'Lists the other projects that show a component, under both names that clients look for.',
    async handle(call) {
      const reply = await list(
        call,
        pages,
        async (page) => {
          const request = { componentId: call.component.component.id, page };
          const answer = await call.clients.catalog.listLinks(request, call.options);
          return { items: answer.projects, total: answer.total };
        },
        (items) => items.map((p) => presentProject(p, call.links)),
      );
      const data = reply.data as { results: unknown[] };
      return ok({ ...data, projects: data.results });
    },
  },
  {
    method: 'POST',
    path: P,
    access: editors,
    doc: 'Shows a component in another project too.',
    body: { fields: projectField },
    async handle(call) {
      const projectSlug = await requireText(call, 'project_slug');
      const request = { componentId: call.component.component.id, projectSlug };
      const answer = await call.clients.catalog.createLink(request, call.options);
      return created({ data: presentComponent(view(answer)!, call.links, call.principal) });
    },
  },
  {
    method: 'DELETE',
    path: `${P}:project_slug/`,
    access: editors,
    doc: 'Shows a component in another project no longer.',
    async handle(call) {
      const request = { componentId: call.component.component.id, projectSlug: call.params['project_slug']! };
      await call.clients.catalog.deleteLink(request, call.options);
      return noContent;
    },
  },
];
