import type { catalog } from '@parlance/contracts';
import type { Links } from '../../responses/links';

export function presentAddon(a: catalog.Addon__Output, links: Links): Record<string, unknown> {
  return {
    component: a.component ? links.component(a.component.projectSlug, a.component.path) : null,
    project: a.projectSlug ? links.project(a.projectSlug) : null,
    name: a.name,
    id: a.id,
    configuration: a.configurationJson ? (JSON.parse(a.configurationJson) as Record<string, unknown>) : {},
    url: links.addon(a.id),
  };
}
