import type { AccessTarget } from '@parlance/access';
import { componentTarget, projectTarget, requireVisible } from '../access/access';
import { toTranslationKey } from '../directory/translation-key';
import type { Call } from './call';
import { notFound } from '../responses/errors';

/** Objects of the path loaded so far. */
export type PathObjects = { -readonly [K in 'project' | 'component' | 'translation' | 'translationKey']?: Call[K] };

/**
 * Loads the objects of the path.
 * @param onlyKey loads only the key of the translation
 * @throws NOT_FOUND if one is missing or hidden from the caller
 */
export async function lookUp(
  call: Call & { pathObjects: PathObjects },
  params: Readonly<Record<string, string>>,
  onlyKey = false,
): Promise<AccessTarget | undefined> {
  const { project: slug, component: path, language } = params;
  if (slug === undefined) return undefined;
  if (path === undefined) {
    const project = await call.directory.project(slug);
    if (!project) throw notFound();
    call.pathObjects.project = project;
    const target = projectTarget(project);
    requireVisible(call, target);
    return target;
  }
  const view = await call.directory.component(slug, path);
  if (!view) throw notFound();
  call.pathObjects.project = view.project;
  call.pathObjects.component = view;
  requireVisible(call, componentTarget(view));
  if (language === undefined) return componentTarget(view);
  if (onlyKey) {
    const key = await call.directory.translationKey(view.component.id, language, call.options);
    if (!key) throw notFound();
    call.pathObjects.translationKey = key;
    return componentTarget(view, key.languageCode);
  }
  const { translation } = await call.clients.translation.getTranslation(
    { componentId: view.component.id, languageCode: language },
    call.options,
  );
  if (!translation) throw notFound();
  call.pathObjects.translation = translation;
  call.pathObjects.translationKey = toTranslationKey(translation);
  return componentTarget(view, translation.languageCode);
}
