import { can } from '@parlance/access';
import { field, type catalog } from '@parlance/contracts';
import { componentTarget, denied, projectTarget } from '../../access/access';
import { toComponentView } from '../../directory/component-view';
import type { Call } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { idParam, requireText } from '../../bodies/input';
import { list } from '../../responses/lists';
import { presentComponent, presentProject } from '../components/present';
import type { Links } from '../../responses/links';
import { pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { linkedComponentSchema, linksSchema, newLinkSchema } from '../components/schema';
import { z } from 'zod';

const projectField = z.object({
  project_slug: field.line('Slug of the other project that shows the component.'),
});

const editors = { any: ['component.edit'] } as const;
const projectEditors = { any: ['project.edit'] } as const;

/** Admins of either project can end a link; the catalog checks the permission on the project that shows the component. */
const eitherSide = {
  async decide(call: Call): Promise<void> {
    if (can(call.caller, 'component.edit', componentTarget(call.component))) return;
    const other = await call.directory.project(call.params['project_slug']!);
    if (!other || !can(call.caller, 'project.edit', projectTarget(other))) throw denied(call);
  },
  ways: [
    { permission: 'component.edit', on: 'object' },
    { permission: 'project.edit', on: 'other' },
  ],
} as const;

/** A component on the other side of a link, with the fields visible to that side. */
function presentLinked(item: catalog.LinkedComponent__Output, links: Links): Record<string, unknown> {
  const { id, name, path, projectName, projectSlug, filemask } = item;
  return {
    id,
    name,
    slug: path.split('/').at(-1),
    project: { name: projectName, slug: projectSlug, url: links.project(projectSlug) },
    filemask,
    url: links.component(projectSlug, path),
    web_url: links.web(`projects/${projectSlug}/${path}/`),
  };
}

const LINKED_COMPONENTS_PATH = '/api/components/:project/:component/linked_components/';
const SHARED_COMPONENTS_PATH = '/api/projects/:project/shared_components/';
const LINKS_PATH = '/api/components/:project/:component/links/';

export const linkEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: LINKS_PATH,
    response: linksSchema,
    access: 'anyone',
    doc: 'Lists the other projects that show a component, under both field names that clients use.',
    cached: true,
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
    path: LINKS_PATH,
    success: [201],
    response: newLinkSchema,
    access: editors,
    named: [{ field: 'project_slug', needs: ['project.edit'] }],
    doc: 'Adds a component to another project.',
    body: { fields: projectField },
    async handle(call) {
      const projectSlug = await requireText(call, 'project_slug');
      const request = { componentId: call.component.component.id, projectSlug };
      const answer = await call.clients.catalog.createLink(request, call.options);
      return created({ data: presentComponent(toComponentView(answer)!, call.links, call.caller) });
    },
  },
  {
    method: 'DELETE',
    path: `${LINKS_PATH}:project_slug/`,
    access: eitherSide,
    doc: 'Removes a component from another project.',
    async handle(call) {
      const request = { componentId: call.component.component.id, projectSlug: call.params['project_slug']! };
      await call.clients.catalog.deleteLink(request, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: LINKED_COMPONENTS_PATH,
    response: pageSchema(linkedComponentSchema),
    access: editors,
    doc: 'Lists the components of any project that use the repository of a component.',
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const request = { componentId: call.component.component.id, page };
          const answer = await call.clients.catalog.listLinkedComponents(request, call.options);
          return { items: answer.components, total: answer.total };
        },
        (items) => items.map((item) => presentLinked(item, call.links)),
      ),
  },
  {
    method: 'DELETE',
    path: `${LINKED_COMPONENTS_PATH}:component_id/`,
    access: editors,
    doc: 'Revokes the use of a repository; the component continues with its files in its own local repository.',
    async handle(call) {
      const request = { componentId: call.component.component.id, linkedComponentId: idParam(call, 'component_id') };
      await call.clients.catalog.deleteLinkedComponent(request, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: SHARED_COMPONENTS_PATH,
    response: pageSchema(linkedComponentSchema),
    access: projectEditors,
    doc: 'Lists the components of other projects that a project shows.',
    cached: true,
    handle: (call) =>
      list(
        call,
        pages,
        async (page) => {
          const request = { projectId: call.project.id, page };
          const answer = await call.clients.catalog.listSharedComponents(request, call.options);
          return { items: answer.components, total: answer.total };
        },
        (items) => items.map((item) => presentLinked(item, call.links)),
      ),
  },
  {
    method: 'DELETE',
    path: `${SHARED_COMPONENTS_PATH}:component_id/`,
    access: projectEditors,
    doc: 'Removes a component of another project from a project.',
    async handle(call) {
      const request = { projectId: call.project.id, componentId: idParam(call, 'component_id') };
      await call.clients.catalog.deleteSharedComponent(request, call.options);
      return noContent;
    },
  },
];
