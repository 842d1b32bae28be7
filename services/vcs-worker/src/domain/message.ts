import { renderTemplate, type common, type TemplateScope } from '@parlance/contracts';
import type { Component } from './component';

/** Site data for commit messages; its address has a trailing slash. */
export interface Site {
  url: string;
  title: string;
}

/** Subject of a message besides its component. */
export interface MessageContext {
  languageCode?: string;
  languageName?: string;
  filename?: string;
  author?: string;
  addonName?: string;
  stats?: { all: number; translated: number };
  /** Other components that share the repository. */
  linked?: readonly Component[];
}

/** Address of a component on the site, with a trailing slash. */
export const componentUrl = (site: Site, component: Component): string =>
  new URL(`projects/${component.settings.projectSlug}/${component.settings.path}/`, site.url).href;

/** Percentage as in the API: never 100 for an incomplete part, never 0 for a nonzero one. */
function percent(part: number, all: number): number {
  if (all === 0) return 100;
  if (part === 0) return 0;
  if (part === all) return 100;
  return Math.min(99.9, Math.max(0.1, Math.floor((1000 * part) / all) / 10));
}

/** Whether a template uses statistics, which require a call to load. */
export const usesStats = (template: string): boolean => template.includes('stats.');

/** Counters as template variables. */
export const statsOf = (counters: common.Counters__Output): { all: number; translated: number } => ({
  all: counters.all?.strings ?? 0,
  translated: counters.translated?.strings ?? 0,
});

/** Template variables of a component. Unknown values are empty. */
export function messageScope(component: Component, site: Site, context: MessageContext): TemplateScope {
  const { settings, project } = component;
  return {
    language_code: context.languageCode ?? '',
    language_name: context.languageName ?? '',
    project_name: project.name,
    project_slug: project.slug,
    component_name: settings.name,
    component_slug: settings.slug,
    component_remote_branch: settings.branch,
    url: componentUrl(site, component),
    filename: context.filename ?? '',
    stats: {
      all: context.stats?.all ?? 0,
      translated: context.stats?.translated ?? 0,
      translated_percent: percent(context.stats?.translated ?? 0, context.stats?.all ?? 0),
    },
    addon_name: context.addonName ?? '',
    author: context.author ?? '',
    site_title: site.title,
    site_url: site.url,
    widget_url: new URL(`engage/${project.slug}/`, site.url).href,
    component_linked_children: (context.linked ?? []).map((child) => ({
      name: child.settings.name,
      project_name: child.project.name,
      url: componentUrl(site, child),
    })),
  };
}

/** Fills a component's message template. */
export function renderMessage(template: string, component: Component, site: Site, context: MessageContext): string {
  return renderTemplate(template, messageScope(component, site, context)).trim() || `Update ${component.settings.name}`;
}
