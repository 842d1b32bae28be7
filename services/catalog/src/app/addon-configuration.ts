import {
  addonDefinition,
  addonFit,
  expressionOf,
  messageVariables,
  readSettings,
  templateProblem,
  type AddonDefinition,
  type SettingValues,
} from '@parlance/contracts';
import { fieldErrors, type FieldProblem } from '@parlance/errors';
import { regexProblem } from '../domain/component-rules';
import type { Addon, Component } from '../domain/objects';
import { objectOf } from './input';
import type { Actor, Parts } from './parts';

/** Problems of a configuration as the public API tells them: all are problems of the field configuration. */
export const configurationErrors = (details: readonly string[]) =>
  fieldErrors(details.map((detail): FieldProblem => ({ attr: 'configuration', code: 'invalid', detail })));

/** Reads and checks a configuration. @throws INVALID */
export function configurationOf(parts: Parts, definition: AddonDefinition, json: string): Record<string, unknown> {
  const read = objectOf(json, 'configuration');
  if ('problem' in read) throw fieldErrors([read.problem]);
  const { values, problems } = readSettings(definition.settings, read.value, 'create');
  const details = problems.map((p) => `${p.attr}: ${p.detail}`);
  const wrong = new Set(problems.map((p) => p.attr));
  for (const setting of definition.settings) {
    const value = values[setting.name];
    if (typeof value !== 'string' || value === '' || wrong.has(setting.name)) continue;
    const problem =
      setting.shape === 'regex'
        ? regexProblem(expressionOf(value))
        : setting.shape === 'flags'
          ? parts.vocabularies.flagProblem(value)
          : setting.shape === 'message' ||
              (setting.shape === 'path-template' &&
                setting.name !== 'name_template' &&
                definition.name !== 'weblate.discovery.discovery')
            ? templateProblem(value, messageVariables)
            : setting.vocabulary === 'file-format' && !parts.vocabularies.format(value)
              ? 'There is no such format.'
              : null;
    if (problem) details.push(`${setting.name}: ${problem}`);
  }
  details.push(...ownRules(definition, values));
  if (details.length > 0) throw configurationErrors(details);
  return values;
}

function ownRules(definition: AddonDefinition, values: SettingValues): string[] {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
  if (definition.name === 'weblate.discovery.discovery') {
    const problems =
      /\(\?<component>|\(\?P<component>/.test(text('match')) && /\(\?<language>|\(\?P<language>/.test(text('match'))
        ? []
        : ['match: The groups component and language are needed.'];
    for (const name of ['name_template', 'base_file_template', 'new_base_template', 'intermediate_template']) {
      const problem = text(name) && templateProblem(text(name), ['component']);
      if (problem) problems.push(`${name}: ${problem}`);
    }
    return problems;
  }
  if (definition.name === 'weblate.generate.pseudolocale' && values['source'] === values['target'])
    return ['target: Must be another translation than the source.'];
  return [];
}

/** Why an add-on is of no use in a component; null: it fits. */
export async function fitProblem(
  parts: Parts,
  actor: Actor,
  definition: AddonDefinition,
  component: Component,
): Promise<string | null> {
  const s = component.settings;
  const problem = addonFit(definition, { ...s, linked: component.linkedId !== 0 });
  const { files } = definition.fits;
  if (problem !== null) return problem;
  if (!files) return null;
  const folder = s.filemask.includes('/')
    ? s.filemask.slice(0, s.filemask.lastIndexOf('/')).replace(/\/?\*.*$/, '')
    : '';
  for (const file of files) {
    const path = file.replace('{folder}', folder).replace(/^\//, '');
    if (await parts.repositories.hasFile(component.id, path, actor.caller)) return null;
  }
  return `The repository has no file ${files.map((f) => f.replace('{folder}/', '')).join(' or ')}.`;
}

const secretNames = (name: string): string[] =>
  addonDefinition(name)
    ?.settings.filter((setting) => setting.access === 'write-only')
    .map((setting) => setting.name) ?? [];

function mapSecrets(addon: Addon, change: (text: string) => string): Record<string, unknown> {
  const configuration = { ...addon.configuration };
  for (const name of secretNames(addon.name)) {
    const value = configuration[name];
    if (typeof value === 'string' && value !== '') configuration[name] = change(value);
  }
  return configuration;
}

/** The add-on as it is stored: its secrets are sealed. */
export const sealed = (parts: Pick<Parts, 'secrets'>, addon: Addon): Addon => ({
  ...addon,
  configuration: mapSecrets(addon, (text) => parts.secrets.seal(text)),
});

/** The configuration with its secrets. */
export const openedConfiguration = (parts: Pick<Parts, 'secrets'>, addon: Addon): Record<string, unknown> =>
  mapSecrets(addon, (text) => parts.secrets.open(text));

/** The configuration for those who may not change it. */
export function withoutSecrets(addon: Addon): Record<string, unknown> {
  const hidden = new Set(secretNames(addon.name));
  return Object.fromEntries(Object.entries(addon.configuration).filter(([name]) => !hidden.has(name)));
}
