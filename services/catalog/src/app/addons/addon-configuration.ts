import {
  actionNames,
  addonDefinition,
  addonMisfit,
  fieldOf,
  fieldsOf,
  machineryDefinitions,
  maskSecrets,
  MEMORY_ENGINES,
  messageVariables,
  noSettings,
  readRequest,
  restoreSecrets,
  secretNames,
  templateProblem,
  type AddonDefinition,
  type RequestField,
  type RequestSchema,
} from '@parlance/contracts';
import { fieldErrors, isServiceError, type FieldProblem } from '@parlance/errors';
import { compileWithReferences, patternProblem } from '@parlance/patterns';
import { pathTemplateProblem } from '../../domain/file-paths';
import type { Addon, Component, Project } from '../../domain/objects';
import { findComponent } from '../find-objects';
import { parseJsonObject } from '../../domain/settings-input';
import type { RequestContext, Deps } from '../deps';

/** Problems of a configuration in the form of the public API: all belong to the field configuration. */
export const configurationErrors = (details: readonly string[]) =>
  fieldErrors(details.map((detail): FieldProblem => ({ attr: 'configuration', code: 'invalid', detail })));

type ConfigurationOfDeps = Pick<Deps, 'projects' | 'components' | 'categories' | 'vocabularies' | 'snapshot'>;

/**
 * Parses and validates a configuration.
 * @param project project that the add-on is installed in; null: the whole site
 * @param stored the previous configuration with its secrets, which are kept if masked values are sent
 * @throws INVALID on field configuration with all problems
 */
export async function configurationOf(
  deps: ConfigurationOfDeps,
  context: RequestContext,
  definition: AddonDefinition,
  project: Project | null,
  json: string,
  stored: Readonly<Record<string, unknown>> = {},
): Promise<Record<string, unknown>> {
  const read = parseJsonObject(json, 'configuration');
  if ('problem' in read) throw fieldErrors([read.problem]);
  const restored = restoreSecrets(definition.settings, read.value, stored);
  const { values, problems: unread } = readRequest(definition.settings, restored.given, 'create');
  const refused = new Set(restored.problems.map((p) => p.attr));
  const problems = [...restored.problems, ...unread.filter((p) => !refused.has(p.attr))];
  const details = problems.map((p) => `${p.attr}: ${p.detail}`);
  const wrong = new Set(problems.map((p) => p.attr));
  for (const setting of fieldsOf(definition.settings)) {
    const value = values[setting.name];
    if (typeof value !== 'string' || value === '' || wrong.has(setting.name)) continue;
    const problem = valueProblem(deps, setting, value);
    if (problem) details.push(`${setting.name}: ${problem}`);
  }
  details.push(...addonRules(definition, values));
  const source = values['component'];
  if (definition.name === AUTOTRANSLATE && typeof source === 'string' && source !== '')
    if (!(await isComponent(deps, context, project, source))) details.push('component: The component does not exist.');
  if (details.length > 0) throw configurationErrors(details);
  return values;
}

/** Problem of a text's format or vocabulary, or null. */
function valueProblem(deps: Pick<Deps, 'vocabularies'>, setting: RequestField, value: string): string | null {
  switch (setting.shape) {
    case 'regex':
      return patternProblem(value);
    case 'path-pattern':
      return patternProblem(value, compileWithReferences);
    case 'flags':
      return deps.vocabularies.flagProblem(value);
    case 'query':
      return deps.vocabularies.queryProblem(value);
    case 'message':
    case 'path-template':
      return (
        templateProblem(value, setting.variables ?? messageVariables) ??
        (setting.shape === 'path-template' ? pathTemplateProblem(value) : null)
      );
    default:
      return setting.vocabulary === 'file-format' && !deps.vocabularies.format(value)
        ? 'The format does not exist.'
        : null;
  }
}

const AUTOTRANSLATE = 'weblate.autotranslate.autotranslate';
const ENGINES = new Set<string>([...machineryDefinitions.map((engine) => engine.id), ...MEMORY_ENGINES]);

type IsComponentDeps = Pick<Deps, 'projects' | 'components' | 'categories' | 'snapshot'>;

/** Whether a text names a component visible to the caller: by id, by its path in the project, or by project/path. */
async function isComponent(
  deps: IsComponentDeps,
  context: RequestContext,
  project: Project | null,
  name: string,
): Promise<boolean> {
  const slash = name.indexOf('/');
  const ways = [
    ...(/^\d{1,15}$/.test(name) ? [{ id: Number(name) }] : []),
    ...(project ? [{ projectSlug: project.settings.slug, path: name }] : []),
    ...(slash > 0 ? [{ projectSlug: name.slice(0, slash), path: name.slice(slash + 1) }] : []),
  ];
  for (const by of ways) {
    try {
      await findComponent(deps, context, by);
      return true;
    } catch (error) {
      if (!isServiceError(error, 'NOT_FOUND')) throw error;
    }
  }
  return false;
}

function addonRules(definition: AddonDefinition, values: Readonly<Record<string, unknown>>): string[] {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
  if (definition.name === 'weblate.discovery.discovery') {
    return /\(\?<component>|\(\?P<component>/.test(text('match')) &&
      /\(\?<language>|\(\?P<language>/.test(text('match'))
      ? []
      : ['match: The groups component and language are required.'];
  }
  if (definition.name === AUTOTRANSLATE) {
    const unknown = ((values['engines'] ?? []) as string[]).filter((engine) => !ENGINES.has(engine));
    return unknown.map((engine) => `engines: The engine "${engine.slice(0, 100)}" does not exist.`);
  }
  if (fieldOf(definition.settings, 'events')) {
    const unknown = ((values['events'] ?? []) as number[]).filter((event) => !Object.hasOwn(actionNames, event));
    return unknown.map((event) => `events: The action ${event} does not exist.`);
  }
  if (definition.name === 'weblate.generate.pseudolocale' && values['source'] === values['target'])
    return ['target: Must be a different translation than the source.'];
  return [];
}

/** Reason why an add-on is not compatible with a component; null if it is. */
export async function fitProblem(
  deps: Pick<Deps, 'repositories'>,
  definition: AddonDefinition,
  component: Component,
): Promise<string | null> {
  const s = component.settings;
  const problem = addonMisfit(definition, { ...s, linked: component.linkedId !== 0 });
  const { files } = definition.fits;
  if (problem !== null) return problem;
  if (!files) return null;
  const folder = s.filemask.includes('/')
    ? s.filemask.slice(0, s.filemask.lastIndexOf('/')).split('*', 1)[0]!.replace(/\/$/, '')
    : '';
  for (const file of files) {
    const path = file.replace('{folder}', folder).replace(/^\//, '');
    if (await deps.repositories.hasFile(component.id, path)) return null;
  }
  return `The repository has no file ${files.map((f) => f.replace('{folder}/', '')).join(' or ')}.`;
}

const settingsOf = (name: string): RequestSchema => addonDefinition(name)?.settings ?? noSettings;

function mapSecrets(addon: Addon, change: (text: string) => string): Record<string, unknown> {
  const configuration = { ...addon.configuration };
  for (const name of secretNames(settingsOf(addon.name))) {
    const value = configuration[name];
    if (typeof value === 'string' && value !== '') configuration[name] = change(value);
  }
  return configuration;
}

/** The stored form of an add-on, with sealed secrets. */
export const sealSecrets = (deps: Pick<Deps, 'secrets'>, addon: Addon): Addon => ({
  ...addon,
  configuration: mapSecrets(addon, (text) => deps.secrets.seal(text)),
});

/** The configuration with its secrets. */
export const openedConfiguration = (deps: Pick<Deps, 'secrets'>, addon: Addon): Record<string, unknown> =>
  mapSecrets(addon, (text) => deps.secrets.open(text));

/** The configuration for callers who may change it: secrets are masked. */
export const maskedConfiguration = (addon: Addon): Record<string, unknown> =>
  maskSecrets(settingsOf(addon.name), addon.configuration);

/** The configuration for other callers. */
export function withoutSecrets(addon: Addon): Record<string, unknown> {
  const hidden = new Set(secretNames(settingsOf(addon.name)));
  return Object.fromEntries(Object.entries(addon.configuration).filter(([name]) => !hidden.has(name)));
}
