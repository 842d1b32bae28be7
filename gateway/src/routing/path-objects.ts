import type { AccessTarget } from '@parlance/access';
import { componentTarget, projectTarget, requireSight } from '../access/access';
import type { Call } from './call';
import { notFound } from '../responses/errors';

/** Objects of the path loaded so far. */
export type Place = { -readonly [K in 'project' | 'component' | 'translation']?: Call[K] };

/** Loads the objects of the path. @throws NOT_FOUND if one is missing or hidden from the caller */
export async function lookUp(
  call: Call & { place: Place },
  params: Readonly<Record<string, string>>,
): Promise<AccessTarget | undefined> {
  const { project: slug, component: path, language } = params;
  if (slug === undefined) return undefined;
  if (path === undefined) {
    const project = await call.directory.project(slug);
    if (!project) throw notFound();
    call.place.project = project;
    const target = projectTarget(project);
    requireSight(call, target);
    return target;
  }
  const view = await call.directory.component(slug, path);
  if (!view) throw notFound();
  call.place.project = view.project;
  call.place.component = view;
  requireSight(call, componentTarget(view));
  if (language === undefined) return componentTarget(view);
  const { translation } = await call.clients.translation.getTranslation(
    { componentId: view.component.id, languageCode: language },
    call.options,
  );
  if (!translation) throw notFound();
  call.place.translation = translation;
  return componentTarget(view, translation.languageCode);
}
