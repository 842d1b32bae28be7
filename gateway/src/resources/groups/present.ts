import type { z } from 'zod';
import type { catalog, identity } from '@parlance/contracts';
import type { ComponentView } from '../../directory/component-view';
import type { Links } from '../../responses/links';
import type { groupSchema } from './schema';

/** Objects that groups refer to; deleted ones are omitted from responses. */
export interface GroupContext {
  projects: ReadonlyMap<number, catalog.Project__Output>;
  components: ReadonlyMap<number, ComponentView>;
  lists: ReadonlyMap<number, catalog.ComponentList__Output>;
}

export function presentGroup(
  g: identity.Group__Output,
  context: GroupContext,
  links: Links,
): z.infer<typeof groupSchema> {
  const defining = context.projects.get(g.definingProjectId);
  return {
    id: g.id,
    name: g.name,
    defining_project: defining ? links.project(defining.slug) : null,
    project_selection: g.projectSelection,
    language_selection: g.languageSelection,
    url: links.group(g.id),
    roles: g.roleIds.map((id) => links.role(id)),
    languages: g.languageCodes.map((code) => links.language(code)),
    projects: g.projectIds.flatMap((id) => {
      const project = context.projects.get(id);
      return project ? [links.project(project.slug)] : [];
    }),
    componentlists: g.componentListIds.flatMap((id) => {
      const found = context.lists.get(id);
      return found ? [links.componentList(found.slug)] : [];
    }),
    components: g.components.flatMap(({ componentId }) => {
      const view = context.components.get(componentId);
      return view ? [links.component(view.project.slug, view.component.path)] : [];
    }),
    enforced_2fa: g.enforced_2fa,
  };
}
