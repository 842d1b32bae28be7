import type { Endpoint } from '../routing/endpoint';

/** A test that covers endpoints of the API. */
export interface Coverage {
  /** Matches method and path of the endpoints. */
  rows: RegExp;
  /** `people`: people.e2e.ts in a folder of e2e/tests; `catalog/lists`: services/catalog/test/lists.itest.ts. */
  file: string;
  /** Title of the test. */
  title: string;
}

/**
 * The first match applies. Access (`permissions`), invalid input (`bad-bodies`) and calls of lists (`calls`) have their own
 * tests, which cover all endpoints.
 */
export const coverage: readonly Coverage[] = [
  {
    rows: /^GET \/api\/search\/$/,
    file: 'catalog/search',
    title: 'search finds visible objects by parts of names and slugs',
  },
  {
    rows: /users\/:username\/tokens/,
    file: 'people',
    title: 'personal tokens are shown once, listed without their value, and revoked immediately',
  },
  {
    rows: /users\/:username\/second-factors/,
    file: 'second-factors',
    title: 'second factors are enrolled and confirmed by their owner, listed without their secret, and removed',
  },
  {
    rows: /users\/:username\/notifications/,
    file: 'people',
    title: 'subscriptions are created, changed, replaced and deleted, and are unique per kind',
  },
  { rows: /users\/:username\/statistics/, file: 'people', title: 'user statistics count contributions' },
  {
    rows: /credits\/$|contributions\/$/,
    file: 'exports',
    title: 'credits list translators with their counts to callers with permission',
  },
  {
    rows: /^DELETE \/api\/users\/:username\/$/,
    file: 'people',
    title: 'deleted users leave no personal data, and the history keeps an author',
  },
  {
    rows: /groups\/:group\/languages/,
    file: 'people',
    title: 'groups limited to languages grant nothing in other languages',
  },
  {
    rows: /\/api\/(groups|roles|users\/:username\/groups)\//,
    file: 'people',
    title: 'groups give their members the permissions of their roles on their associated objects',
  },
  {
    rows: /\/api\/checks\/|units\/:unit\/checks\//,
    file: 'unit-checks',
    title: 'the checks of a string are listed with the places where they fail, and described at their address',
  },
  {
    rows: /\/context\/$/,
    file: 'unit-context',
    title:
      'the context of a string shows neighbours, the same source elsewhere, terms, memory, screenshots and history',
  },
  {
    rows: /\/accept\/$/,
    file: 'suggestions',
    title: 'suggestions become the translation in the name of their author, in history and commit',
  },
  {
    rows: /\/reject\/$/,
    file: 'suggestions',
    title: 'suggestions are rejected with a reason, and withdrawn by their author',
  },
  { rows: /\/vote\/$/, file: 'suggestions', title: 'suggestions are voted on, and accepted by the vote that suffices' },
  {
    rows: /^POST .*:language\/suggestions\/$/,
    file: 'suggestions',
    title:
      'the suggestions of a translation are accepted and rejected together; an undecidable suggestion stops no other',
  },
  {
    rows: /\/suggestions\/$/,
    file: 'suggestions',
    title: 'suggestions are added and listed with author, time and difference, for a string and for all',
  },
  { rows: /\/api\/users\//, file: 'people', title: 'users are created, read, updated and replaced' },
  {
    rows: /^DELETE \/api\/projects\/:project\/fonts/,
    file: 'fonts',
    title: 'a deleted font is not found, and the built-in one counts again',
  },
  {
    rows: /projects\/:project\/fonts\/:font\/file/,
    file: 'fonts',
    title: 'only users who may edit the project download the file of a font',
  },
  {
    rows: /projects\/:project\/fonts/,
    file: 'fonts',
    title: 'a %s file is recognized by its content and listed with its own metadata',
  },
  {
    rows: /^DELETE \/api\/screenshots\/:screenshot\/$/,
    file: 'screenshots',
    title: 'a deleted screenshot is not found, and neither is its image',
  },
  {
    rows: /^(POST|PUT) \/api\/screenshots\/:screenshot\/file/,
    file: 'screenshots',
    title: 'an image is not replaced by an invalid one',
  },
  {
    rows: /screenshots\/:screenshot\/file/,
    file: 'screenshots',
    title: 'an image supports full, range and conditional requests',
  },
  {
    rows: /screenshots\/:screenshot\/units/,
    file: 'screenshots',
    title: 'a screenshot lists its strings until they are removed',
  },
  { rows: /screenshots\//, file: 'screenshots', title: 'a %s is recognized by its content, whatever its file name' },
  { rows: /\/api\/metrics\//, file: 'exports', title: 'site metrics are exported as JSON, CSV and OpenMetrics' },
  {
    rows: /\/exports\/stats\//,
    file: 'exports',
    title: 'statistics are exported as JSON and as CSV with the same numbers',
  },
  { rows: /\/exports\/rss\//, file: 'exports', title: 'feed %d is RSS 2.0' },
  {
    rows: /\/git\//,
    file: 'git',
    title: 'the repository of a component is cloned with the commits of Parlance and fetched again later',
  },
  {
    rows: /\/hooks\/(update|:project)/,
    file: 'hooks',
    title: 'the deprecated addresses update a project and a component',
  },
  {
    rows: /\/hooks\//,
    file: 'hooks',
    title: 'a push notification is processed once, however often it is delivered, as JSON and as form',
  },
  {
    rows: /^POST .*\/addons\/$/,
    file: 'catalog/structure',
    title: 'add-ons are installed with a validated configuration',
  },
  {
    rows: /\/addons\//,
    file: 'catalog/structure',
    title: 'add-ons apply to component, project and site, and secrets are visible only to their editors',
  },
  {
    rows: /\/statistics\/$/,
    file: 'statistics/statistics',
    title: 'an import is counted by the request that follows its last event',
  },
  {
    rows: /\/categories\//,
    file: 'structure',
    title: 'categories are moved and renamed with their contents unchanged',
  },
  { rows: /\/changes\//, file: 'strings', title: 'the history is filtered by user, action and time' },
  {
    rows: /\/component-lists\//,
    file: 'catalog/structure',
    title: 'component lists are filled manually and by rule and show only visible components',
  },
  {
    rows: /\/agreement\/$/,
    file: 'settings',
    title: 'the agreement is required before edits, again after each change of its text, and not for bots',
  },
  {
    rows: /^GET .*:language\/file\/$/,
    file: 'download',
    title: 'a download contains an edit immediately and has new validators',
  },
  { rows: /:language\/file\/$/, file: 'upload', title: 'upload with method %s, conflicts "%s", fuzzy "%s"' },
  {
    rows: /\/api\/(components|projects)\/.*\/file\/$/,
    file: 'download',
    title: 'archives contain every file as stored in the repository, or converted',
  },
  {
    rows: /\/(monolingual_base|new_template)\/$/,
    file: 'monolingual',
    title: 'an edit changes exactly the bytes of its string, and new languages are created',
  },
  {
    rows: /\/linked_components\//,
    file: 'links',
    title: 'admins of the owner list links and revoke them without data loss',
  },
  {
    rows: /\/shared_components\//,
    file: 'links',
    title: 'a link to another project can be ended by the admins of either side',
  },
  {
    rows: /\/links\//,
    file: 'structure',
    title: 'a linked component counts in the statistics of the other project as far as the caller may see it',
  },
  { rows: /:component\/lock\/$/, file: 'catalog/components', title: 'components are locked by users and by errors' },
  { rows: /:project\/lock\/$/, file: 'catalog/components', title: 'the components of a project are locked together' },
  {
    rows: /^DELETE .*\/translations\/:project/,
    file: 'screenshots',
    title: 'a screenshot is deleted with its translation and its project',
  },
  {
    rows: /^POST .*:component\/translations\/$/,
    file: 'monolingual',
    title: 'an edit changes exactly the bytes of its string, and new languages are created',
  },
  {
    rows: /^(GET|PUT|PATCH) .*:component\/$/,
    file: 'catalog/components',
    title: 'a partial update contacts the repository only for settings that affect it',
  },
  {
    rows: /^DELETE .*:component\/$/,
    file: 'create',
    title: 'tasks of a deleted component end for clients that poll them, and unknown tasks have not begun',
  },
  { rows: /^DELETE .*\/tasks\//, file: 'create', title: 'tasks can be cancelled by users who may edit the component' },
  {
    rows: /\/autotranslate\/$/,
    file: 'autotranslate',
    title: 'automatic translation copies texts of other components and records them in the history',
  },
  {
    rows: /\/machinery_settings\/$/,
    file: 'autotranslate',
    title: 'machine translation services are added, listed without secrets, changed and removed',
  },
  { rows: /\/api\/languages\//, file: 'catalog/languages', title: 'languages are created and changed with permission' },
  { rows: /:project\/languages\/$/, file: 'exports', title: 'every address in a response can be requested' },
  { rows: /\/labels\//, file: 'catalog/structure', title: 'labels are unique in a project and have known colours' },
  {
    rows: /:project\/tokens\//,
    file: 'identity/service',
    title: 'a project token creates a bot that can access only its project',
  },
  { rows: /^DELETE .*\/memory\//, file: 'memory', title: 'entries of the translation memory are deleted' },
  {
    rows: /^POST .*\/memory\/|\/memory\/file\//,
    file: 'memory',
    title: 'the translation memory imports entries and files and exports them',
  },
  { rows: /\/memory\//, file: 'memory', title: 'the translation memory is paginated and filtered' },
  { rows: /^GET \/api\/projects\/$/, file: 'catalog/projects', title: 'lists of projects are paginated by id' },
  {
    rows: /^POST \/api\/projects\/$/,
    file: 'catalog/projects',
    title: 'projects are created with defaults, teams, events and history',
  },
  {
    rows: /^DELETE \/api\/projects\/:project\/$/,
    file: 'catalog/projects',
    title: 'a project is deleted with all its contents',
  },
  {
    rows: /\/api\/projects\/:project\/$/,
    file: 'catalog/projects',
    title: 'a renamed project is visible immediately under a new version',
  },
  {
    rows: /\/comments\/$/,
    file: 'strings',
    title: 'comments are counted and require a text, a scope and a permission',
  },
  {
    rows: /^DELETE \/api\/projects\/:project\/$/,
    file: 'catalog/projects',
    title: 'a project is deleted with all its contents',
  },
  {
    rows: /\/api\/projects\/:project\/$/,
    file: 'catalog/projects',
    title: 'a renamed project is visible immediately under a new version',
  },
  {
    rows: /^GET .*\/comments\/$|\/comments\/:comment\/$/,
    file: 'comments',
    title: 'the comments of a string are listed, edited, resolved and deleted, with statistics and history',
  },
  {
    rows: /\/comments\/$/,
    file: 'strings',
    title: 'comments are counted and require a text, a scope and a permission',
  },
  {
    rows: /:unit\/translations\/$/,
    file: 'strings',
    title: 'a new string with a translation is checked against existing strings',
  },
  { rows: /^DELETE .*\/units\/:unit\/$/, file: 'monolingual', title: 'keys are added and removed through the API' },
  {
    rows: /^PUT .*\/units\/:unit\/$/,
    file: 'permissions',
    title: 'access matches the table for every endpoint and every kind of caller with %s',
  },
  { rows: /^GET \/api\/units\/$/, file: 'search', title: 'search results follow labels and suggestions immediately' },
  { rows: /\/api\/(schema\/)?$/, file: 'exports', title: 'every address in a response can be requested' },
  {
    rows: /^(GET|POST|PATCH) .*(repository|units\/:unit|:language|translations|units|components|tasks\/:task)\/$/,
    file: 'main-flow',
    title:
      'a repository is imported, edited with read-your-writes, committed and pushed with exactly one changed string',
  },
];

/** The test that covers an endpoint. */
export function coverageOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): Coverage {
  const found = coverage.find(({ rows }) => rows.test(`${method} ${path}`));
  if (!found) throw new Error(`add a test for ${method} ${path} to the coverage table`);
  return found;
}
