import type { Endpoint } from '../routing/endpoint';

/** A test that looks at what rows of the API do. */
export interface Coverage {
  /** Method and path of the rows. */
  rows: RegExp;
  /** `people`: e2e/tests/people.e2e.ts; `catalog/lists`: services/catalog/test/lists.itest.ts. */
  file: string;
  /** Title of the test. */
  title: string;
}

/**
 * The first that fits a row counts. Who may use a row (`permissions`), bad input (`bad-bodies`) and calls of lists (`calls`) are
 * walked for all rows by tests of their own.
 */
export const coverage: readonly Coverage[] = [
  {
    rows: /^GET \/api\/search\/$/,
    file: 'catalog/search',
    title: 'finds by parts of names and slugs what the caller may see',
  },
  {
    rows: /users\/:username\/tokens/,
    file: 'people',
    title: 'are shown once, listed without their value, and end at once',
  },
  {
    rows: /users\/:username\/second-factors/,
    file: 'second-factors',
    title: 'are made and confirmed by their owner, shown without their secret, and removed',
  },
  {
    rows: /users\/:username\/notifications/,
    file: 'people',
    title: 'are made, changed, replaced and ended; there is one of each kind',
  },
  { rows: /users\/:username\/statistics/, file: 'people', title: 'have numbers of what they did' },
  {
    rows: /credits\/$|contributions\/$/,
    file: 'exports',
    title: 'credits say who translated how much, to those who may know',
  },
  {
    rows: /^DELETE \/api\/users\/:username\/$/,
    file: 'people',
    title: 'that are deleted leave nothing personal, and the history keeps an author',
  },
  { rows: /groups\/:group\/languages/, file: 'people', title: 'limited to languages give nothing in others' },
  {
    rows: /\/api\/(groups|roles|users\/:username\/groups)\//,
    file: 'people',
    title: 'give their members what their roles say, on what they are associated with',
  },
  {
    rows: /\/api\/checks\/|units\/:unit\/checks\//,
    file: 'unit-checks',
    title: 'are listed with the places where they fail, and described at their address',
  },
  {
    rows: /\/context\/$/,
    file: 'unit-context',
    title: 'shows neighbours, the same source elsewhere, terms, memory, screenshots and history',
  },
  {
    rows: /\/accept\/$/,
    file: 'suggestions',
    title: 'become the translation in the name of their author, in history and commit',
  },
  { rows: /\/reject\/$/, file: 'suggestions', title: 'are rejected with a reason, and withdrawn by their author' },
  { rows: /\/vote\/$/, file: 'suggestions', title: 'are voted on, and accepted by the vote that suffices' },
  {
    rows: /\/suggestions\/$/,
    file: 'suggestions',
    title: 'are added and listed with author, time and difference, for a string and for all',
  },
  { rows: /\/api\/users\//, file: 'people', title: 'are made, shown, changed and replaced' },
  {
    rows: /^DELETE \/api\/screenshots\/:screenshot\/$/,
    file: 'screenshots',
    title: 'is gone when it is deleted, with its image',
  },
  {
    rows: /^(POST|PUT) \/api\/screenshots\/:screenshot\/file/,
    file: 'screenshots',
    title: 'an image is not replaced by one that is none',
  },
  {
    rows: /screenshots\/:screenshot\/file/,
    file: 'screenshots',
    title: 'is read whole, in part, and not again while it is the same',
  },
  {
    rows: /screenshots\/:screenshot\/units/,
    file: 'screenshots',
    title: 'shows strings of its translation, until they are removed',
  },
  { rows: /screenshots\//, file: 'screenshots', title: 'a %s is taken for what it is, whatever it is called' },
  { rows: /\/api\/metrics\//, file: 'exports', title: 'numbers of the site come as JSON, CSV and OpenMetrics' },
  { rows: /\/exports\/stats\//, file: 'exports', title: 'statistics come as JSON and as CSV, with the same numbers' },
  { rows: /\/exports\/rss\//, file: 'exports', title: 'feed %d is RSS 2.0' },
  { rows: /\/git\//, file: 'git', title: 'is cloned with what Parlance committed, and fetched again later' },
  {
    rows: /\/hooks\/(update|:project)/,
    file: 'hooks',
    title: 'the deprecated addresses update a project and a component',
  },
  {
    rows: /\/hooks\//,
    file: 'hooks',
    title: 'announces a push, once however often it is sent, and in either body form',
  },
  {
    rows: /^POST .*\/addons\/$/,
    file: 'catalog/structure',
    title: 'are installed with a configuration that is checked',
  },
  {
    rows: /\/addons\//,
    file: 'catalog/structure',
    title: 'act from component, project and site; secrets stay with those who may change them',
  },
  {
    rows: /\/statistics\/$/,
    file: 'statistics/statistics',
    title: 'counts an import on the request that follows its last event',
  },
  {
    rows: /\/categories\//,
    file: 'structure',
    title: 'move and are renamed with all that lies in them, which stays what it was',
  },
  { rows: /\/changes\//, file: 'strings', title: 'is filtered by user, action and time' },
  {
    rows: /\/component-lists\//,
    file: 'catalog/structure',
    title: 'take components by hand and by rule, and show what the caller may see',
  },
  {
    rows: /\/agreement\/$/,
    file: 'settings',
    title: 'agreement is accepted before strings are edited, each wording anew; bots need not',
  },
  {
    rows: /^GET .*:language\/file\/$/,
    file: 'download',
    title: 'shows an edit at once, and its new validators',
  },
  { rows: /:language\/file\/$/, file: 'upload', title: 'method %s, conflicts "%s", fuzzy "%s"' },
  {
    rows: /\/api\/(components|projects)\/.*\/file\/$/,
    file: 'download',
    title: 'archives hold every file as the repository has it, or converted',
  },
  {
    rows: /\/(monolingual_base|new_template)\/$/,
    file: 'monolingual',
    title: 'changes exactly the bytes of the edited string, and makes new languages',
  },
  {
    rows: /\/linked_components\//,
    file: 'links',
    title: 'are listed for the admins of the owner, who revoke them without a loss',
  },
  {
    rows: /\/shared_components\//,
    file: 'links',
    title: 'end by the admins of either side',
  },
  {
    rows: /\/links\//,
    file: 'structure',
    title: 'show a component in the numbers of the other project, as far as the caller may see it',
  },
  { rows: /:component\/lock\/$/, file: 'catalog/components', title: 'are locked by people and by errors' },
  { rows: /:project\/lock\/$/, file: 'catalog/components', title: 'of a project are locked together' },
  {
    rows: /^DELETE .*\/translations\/:project/,
    file: 'screenshots',
    title: 'goes with its translation and its project',
  },
  {
    rows: /^POST .*:component\/translations\/$/,
    file: 'monolingual',
    title: 'changes exactly the bytes of the edited string, and makes new languages',
  },
  {
    rows: /^(GET|PUT|PATCH) .*:component\/$/,
    file: 'catalog/components',
    title: 'are changed in part; the repository is looked into only when that matters',
  },
  {
    rows: /^DELETE .*:component\/$/,
    file: 'create',
    title: 'of a component that is gone are over, for whoever waits for them; unknown ones have not begun',
  },
  { rows: /^DELETE .*\/tasks\//, file: 'create', title: 'can be cancelled by those who may edit the component' },
  {
    rows: /\/autotranslate\/$/,
    file: 'autotranslate',
    title: 'takes texts of other components, and keeps them in the history',
  },
  {
    rows: /\/machinery_settings\/$/,
    file: 'autotranslate',
    title: 'are added, shown without secrets, changed and removed',
  },
  { rows: /\/api\/languages\//, file: 'catalog/languages', title: 'are made and changed by those who may' },
  { rows: /:project\/languages\/$/, file: 'exports', title: 'every address that an answer gives leads somewhere' },
  { rows: /\/labels\//, file: 'catalog/structure', title: 'are unique in a project and have known colours' },
  { rows: /:project\/tokens\//, file: 'identity/service', title: 'of a project make a bot that reaches nothing else' },
  { rows: /^DELETE .*\/memory\//, file: 'memory', title: 'removes entries' },
  {
    rows: /^POST .*\/memory\/|\/memory\/file\//,
    file: 'memory',
    title: 'takes entries and files, and gives them back',
  },
  { rows: /\/memory\//, file: 'memory', title: 'pages and filters' },
  { rows: /^GET \/api\/projects\/$/, file: 'catalog/projects', title: 'page through lists by id' },
  {
    rows: /^POST \/api\/projects\/$/,
    file: 'catalog/projects',
    title: 'are made with defaults, teams, events and history',
  },
  { rows: /^DELETE \/api\/projects\/:project\/$/, file: 'catalog/projects', title: 'are removed with all they hold' },
  { rows: /\/api\/projects\/:project\/$/, file: 'catalog/projects', title: 'are renamed at once, under a version' },
  {
    rows: /^GET .*\/comments\/$|\/comments\/:comment\/$/,
    file: 'comments',
    title: 'are listed, edited, resolved and deleted, with statistics and history',
  },
  { rows: /\/comments\/$/, file: 'strings', title: 'comments are counted, need a text and a scope, and a permission' },
  {
    rows: /:unit\/translations\/$/,
    file: 'strings',
    title: 'a translation that comes with a new string is compared with those that are there',
  },
  { rows: /^DELETE .*\/units\/:unit\/$/, file: 'monolingual', title: 'are added and removed from here' },
  {
    rows: /^PUT .*\/units\/:unit\/$/,
    file: 'permissions',
    title: 'is what the table of endpoints says, for every row and every kind of caller',
  },
  { rows: /^GET \/api\/units\/$/, file: 'search', title: 'what is found follows labels and suggestions at once' },
  { rows: /\/api\/(schema\/)?$/, file: 'exports', title: 'every address that an answer gives leads somewhere' },
  {
    rows: /^(GET|POST|PATCH) .*(repository|units\/:unit|:language|translations|units|components|tasks\/:task)\/$/,
    file: 'main-flow',
    title: 'imports, edits, shows the edit at once, commits and pushes exactly one string',
  },
];

/** The test that looks at a row. */
export function coverageOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): Coverage {
  const found = coverage.find(({ rows }) => rows.test(`${method} ${path}`));
  if (!found) throw new Error(`no test looks at ${method} ${path}`);
  return found;
}
