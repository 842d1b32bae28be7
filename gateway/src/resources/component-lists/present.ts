import type { catalog } from '@parlance/contracts';
import type { Links } from '../../responses/links';

export function presentComponentList(l: catalog.ComponentList__Output, links: Links): Record<string, unknown> {
  return {
    name: l.name,
    slug: l.slug,
    id: l.id,
    show_dashboard: l.showDashboard,
    components: l.components.map((c) => links.component(c.projectSlug, c.path)),
    auto_assign: l.autoAssign.map((rule) => ({
      project_match: rule.projectMatch,
      component_match: rule.componentMatch,
    })),
    url: links.componentList(l.slug),
  };
}
