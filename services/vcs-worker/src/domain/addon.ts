import { addonDefinition, addonMisfit, fieldsOf, type AddonDefinition, type AddonEvent } from '@parlance/contracts';
import type { Component } from './component';

/** An add-on that applies to a component. */
export interface InstalledAddon {
  id: number;
  definition: AddonDefinition;
  configuration: Readonly<Record<string, unknown>>;
}

/** An add-on as the catalog returns it. */
export interface StoredAddon {
  id: number;
  name: string;
  /** 0: installed on a project or the site. */
  componentId: number;
  /** 0: installed on a component or the site. */
  projectId: number;
  configuration: Readonly<Record<string, unknown>>;
}

const actsOn = (addon: StoredAddon, { settings, project }: Component): boolean =>
  addon.componentId ? addon.componentId === settings.id : addon.projectId ? addon.projectId === project.id : true;

/**
 * Add-ons that may change files of a component's repository: its own, those of the site, and those of its project
 * if the repository belongs to the project. Editors of a project have no permissions on the repository of another project.
 */
export function repositoryAddons(
  stored: readonly StoredAddon[],
  {
    settings,
    project,
  }: {
    settings: Pick<Component['settings'], 'linkedComponentId' | 'linkedProjectId'>;
    project: Pick<Component['project'], 'id'>;
  },
): StoredAddon[] {
  const foreign = settings.linkedComponentId !== 0 && settings.linkedProjectId !== project.id;
  return stored.filter((addon) => !foreign || addon.componentId !== 0 || addon.projectId === 0);
}

/** Add-ons of a component that run on an event: those that are compatible and completely configured. */
export function addonsFor(stored: readonly StoredAddon[], component: Component, event: AddonEvent): InstalledAddon[] {
  return stored.flatMap((addon) => {
    const definition = addonDefinition(addon.name);
    if (!definition?.events.includes(event) || !actsOn(addon, component)) return [];
    if (fieldsOf(definition.settings).some(({ name, required }) => required && addon.configuration[name] === undefined))
      return [];
    const { settings } = component;
    if (addonMisfit(definition, { ...settings, linked: settings.linkedComponentId !== 0 }) !== null) return [];
    return [{ id: addon.id, definition, configuration: addon.configuration }];
  });
}

export const textOf = ({ configuration }: InstalledAddon, name: string): string => {
  const value = configuration[name];
  return typeof value === 'string' ? value : '';
};
export const flagOf = ({ configuration }: InstalledAddon, name: string): boolean => configuration[name] === true;
export const numberOf = ({ configuration }: InstalledAddon, name: string, otherwise: number): number => {
  const value = configuration[name];
  return typeof value === 'number' ? value : otherwise;
};
