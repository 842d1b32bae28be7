import type { catalog } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { notFound } from '../responses/errors';
import type { Call } from '../routing/call';
import type { ComponentView } from '../directory/component-view';
import type { RoutedCall } from '../routing/make-call';
import { lookUp, type PathObjects } from '../routing/path-objects';

/** Subject of a page within a project. */
export type Place =
  | { kind: 'component'; component: ComponentView }
  | { kind: 'translation'; component: ComponentView; language: string }
  | { kind: 'category'; category: catalog.Category__Output }
  | { kind: 'project language'; language: string };

/** Objects of a path that the caller may see; undefined if one is missing or hidden. */
async function found(call: Call, params: Readonly<Record<string, string>>): Promise<PathObjects | undefined> {
  const pathObjects: PathObjects = {};
  try {
    await lookUp(Object.create(call, { pathObjects: { value: pathObjects } }) as RoutedCall, params);
    return pathObjects;
  } catch (error) {
    if (isServiceError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

async function categoryAt(call: Call, path: string): Promise<catalog.Category__Output | undefined> {
  try {
    const request = { projectSlug: call.project.slug, path };
    return (await call.clients.catalog.getCategory(request, call.options)).category ?? undefined;
  } catch (error) {
    if (isServiceError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/**
 * The subject of a path after the project's slug: `-/language`, or categories and a component, a component and a language, or
 * categories alone.
 * @throws NOT_FOUND if it is missing or hidden from the caller
 */
export async function placeAt(call: Call, path: string): Promise<Place> {
  const project = call.project.slug;
  const [, projectLanguage] = /^-\/([^/]+)$/.exec(path) ?? [];
  if (projectLanguage !== undefined) return { kind: 'project language', language: projectLanguage };
  const whole = await found(call, { project, component: path });
  if (whole?.component) return { kind: 'component', component: whole.component };
  const slash = path.lastIndexOf('/');
  if (slash > 0) {
    const [component, language] = [path.slice(0, slash), path.slice(slash + 1)];
    const translation = await found(call, { project, component, language });
    if (translation?.component) return { kind: 'translation', component: translation.component, language };
  }
  const category = await categoryAt(call, path);
  if (category) return { kind: 'category', category };
  throw notFound();
}
