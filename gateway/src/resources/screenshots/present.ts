import type { media } from '@parlance/contracts';
import type { ComponentView } from '../../directory/component-view';
import type { Links } from '../../responses/links';
import type { screenshotSchema } from './schema';
import type { z } from 'zod';

/**
 * @param view the screenshot's component
 * @param there existing strings; a deleted string stays attached by its id
 */
export function presentScreenshot(
  s: media.Screenshot__Output,
  { project, component }: ComponentView,
  there: ReadonlySet<number>,
  links: Links,
): z.infer<typeof screenshotSchema> {
  const url = links.screenshot(s.id);
  return {
    id: s.id,
    name: s.name,
    repository_filename: s.repositoryFilename,
    component: links.component(project.slug, component.path),
    translation: links.translation(project.slug, component.path, s.languageCode),
    file_url: `${url}file/`,
    units: s.unitIds.filter((id) => there.has(id)).map((id) => links.unit(id)),
    url,
  };
}
