/** Sections of the description of the API by the first segment of paths, in the order in which viewers show them. */
export const tags: Readonly<Record<string, string>> = {
  root: 'Entry point of the API.',
  projects: 'Projects, and everything that belongs to a whole project.',
  categories: 'Folders of components.',
  components: 'Sets of translation files in a repository.',
  translations: 'Components in one language, and their files.',
  units: 'Strings with their translations, checks, suggestions and comments.',
  search: 'Search over all kinds of objects.',
  changes: 'The history.',
  checks: 'Quality checks.',
  memory: 'The translation memory.',
  screenshots: 'Images that show where strings are used.',
  languages: 'Languages and their plural rules.',
  'component-lists': 'Lists of components of several projects.',
  addons: 'Extensions of components, projects and the site.',
  tasks: 'Background tasks, such as imports.',
  users: 'Users, their tokens, second factors and subscriptions.',
  groups: 'Groups and teams.',
  roles: 'Sets of permissions.',
  metrics: 'Figures of the installation.',
  schema: 'This document.',
  hooks: 'Notifications of git hosts.',
  exports: 'Statistics and feeds for other tools.',
  git: 'Repositories for git clients.',
};

/** The section of a path. */
export const tagOf = (path: string): string => path.split('/')[path.startsWith('/api/') ? 2 : 1] || 'root';
