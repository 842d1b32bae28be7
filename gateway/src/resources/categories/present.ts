import type { catalog } from '@parlance/contracts';
import type { Links } from '../../responses/links';

export function presentCategory(c: catalog.Category__Output, links: Links): Record<string, unknown> {
  const url = links.category(c.id);
  return {
    id: c.id,
    name: c.name,
    slug: c.slug,
    project: links.project(c.projectSlug),
    category: c.categoryId ? links.category(c.categoryId) : null,
    configuration: c.configurationJson ? (JSON.parse(c.configurationJson) as Record<string, unknown>) : {},
    url,
    statistics_url: `${url}statistics/`,
  };
}
