import { renderTemplate, type catalog } from '@parlance/contracts';
import { fieldErrors, isServiceError } from '@parlance/errors';
import { compileWithReferences, mapInSlices, PatternError, refersTo, trimOf } from '@parlance/patterns';
import { flagOf, textOf, type InstalledAddon } from '../../domain/addon';
import type { Component } from '../../domain/component';
import { repositoryOf, openForReading } from '../repository/with-repository';
import type { TaskContext, Effect } from './effect';

/** Maximum number of components that one run creates. */
const MAX_COMPONENTS = 1_000;

/** A group of files that form a component. */
export interface DiscoveredComponent {
  component: string;
  filemask: string;
}

function compileMatch(match: string): ReturnType<typeof compileWithReferences> {
  try {
    return compileWithReferences(match);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const detail = `"match" is not a valid regular expression (RE2 syntax): ${error.message}`;
    throw fieldErrors([{ attr: 'match', code: 'invalid', detail }]);
  }
}

/**
 * Groups paths by an expression with the groups component and language. Yields to the event loop.
 * @throws ServiceError INVALID on match
 */
export async function discover(paths: readonly string[], match: string): Promise<DiscoveredComponent[]> {
  const pattern = compileMatch(match);
  const repeats = refersTo(match, 'language');
  const found = await mapInSlices(paths, (path) => {
    const whole = pattern.whole(path);
    const span = whole?.span('language');
    return whole && span ? { path, component: whole.group('component') ?? '', span } : null;
  });
  const byMask = new Map<string, DiscoveredComponent>();
  for (const one of found) {
    if (!one) continue;
    const { path, component } = one;
    const [start, end] = one.span;
    const rest = path.slice(end);
    // A back-reference to the language is part of the mask, too.
    const repeated = repeats ? rest.replaceAll(path.slice(start, end), '*') : rest;
    const filemask = `${path.slice(0, start)}*${repeated}`;
    if (component !== '' && !byMask.has(filemask)) byMask.set(filemask, { component, filemask });
  }
  return [...byMask.values()].sort((a, b) => (a.filemask < b.filemask ? -1 : 1));
}

const slugOf = (name: string): string =>
  trimOf(
    name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9_-]+/g, '-'),
    '-',
  ).slice(0, 100);

function inputFor(main: Component, addon: InstalledAddon, found: DiscoveredComponent): catalog.ComponentInput {
  const { settings } = main;
  const filled = (name: string) => renderTemplate(textOf(addon, name), { component: found.component }).trim();
  const template = filled('base_file_template');
  const newBase = filled('new_base_template');
  const name = filled('name_template').slice(0, 100);
  return {
    name,
    slug: slugOf(name) || slugOf(found.component) || 'component',
    repo: `parlance://${settings.projectSlug}/${settings.path}`,
    vcs: settings.vcs,
    filemask: found.filemask,
    fileFormat: textOf(addon, 'file_format'),
    languageRegex: textOf(addon, 'language_regex') || '^[^.]+$',
    template,
    newBase,
    intermediate: filled('intermediate_template'),
    newLang: settings.newLang === 'add' && !newBase && !template ? 'none' : settings.newLang,
    sourceLanguage: settings.sourceLanguageCode,
    license: settings.license,
    agreement: settings.agreement,
    checkFlags: settings.checkFlags,
    languageCodeStyle: settings.languageCodeStyle,
    allowTranslationPropagation: settings.allowTranslationPropagation,
    enableSuggestions: settings.enableSuggestions,
    reportSourceBugs: settings.reportSourceBugs,
    ...(settings.categoryId ? { categoryId: settings.categoryId } : {}),
  };
}

async function copyAddons({ deps, component }: TaskContext, to: number): Promise<void> {
  const stored = await deps.catalog.addons([component.settings.id]);
  for (const addon of stored) {
    // Add-ons of the whole repository run on the new component, too.
    if (addon.componentId !== component.settings.id || addon.name === 'weblate.discovery.discovery') continue;
    if (addon.name === 'weblate.git.squash') continue;
    await deps.catalog.installAddon(to, addon.name, addon.configuration).catch((error: unknown) => {
      if (!isServiceError(error)) throw error;
    });
  }
}

async function run(context: TaskContext): Promise<void> {
  const { deps, addon, component, log } = context;
  const repository = await repositoryOf(deps, component.settings.id);
  const opened = await openForReading(deps, repository);
  if (!opened) return;
  const paths = (await opened.git.listFiles(opened.head)).map((entry) => entry.path);
  const found = await discover(paths, textOf(addon, 'match'));
  const known = await deps.catalog.components(await deps.index.componentsOf(repository));
  const masks = new Set(known.map(({ settings }) => settings.filemask));
  for (const one of found.filter(({ filemask }) => !masks.has(filemask)).slice(0, MAX_COMPONENTS)) {
    try {
      const id = await deps.catalog.createComponent(component.project.id, inputFor(component, addon, one));
      log(`${one.filemask}: component created`);
      if (flagOf(addon, 'copy_addons')) await copyAddons(context, id);
    } catch (error) {
      // A failed component does not prevent the others.
      if (!isServiceError(error)) throw error;
      const problems = error.problems.map(({ attr, detail }) => `${attr ?? ''}: ${detail}`).join(' ');
      log(`${one.filemask}: the component cannot be created. ${problems || error.message}`);
    }
  }
  if (!flagOf(addon, 'remove')) return;
  const alive = new Set(found.map(({ filemask }) => filemask));
  for (const { settings } of known) {
    if (settings.linkedComponentId !== component.settings.id || alive.has(settings.filemask)) continue;
    // An add-on of a project must not delete components of other projects.
    if (settings.projectId !== component.project.id) continue;
    // Only components that match the pattern were created by it.
    if ((await discover([settings.filemask.replaceAll('*', 'en')], textOf(addon, 'match'))).length === 0) continue;
    await deps.catalog.deleteComponent(settings.id);
    log(`${settings.filemask}: no file matches any more, component deleted`);
  }
}

export const discovery: Effect = { runTask: run };
