import type { Endpoint } from '../http/endpoint';

/** An end-to-end test that looks at what rows of the API do. */
export interface Coverage {
  /** Method and path of the rows. */
  rows: RegExp;
  /** File in e2e/tests, without `.e2e.ts`. */
  file: string;
  /** Title of the test. */
  title: string;
}

/** The first that fits a row counts. Who may use a row, bad input and calls of lists are walked for all rows by tests of their own. */
export const coverage: readonly Coverage[] = [
  {
    rows: /users\/:username\/tokens/,
    file: 'people',
    title: 'are shown once, listed without their value, and end at once',
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
  { rows: /\/hooks\//, file: 'main-flow', title: 'brings upstream changes in by hook and by pull' },
  {
    rows: /^(GET|POST|PATCH) .*(repository|units\/:unit|language\/units|components|tasks\/:task)\/$/,
    file: 'main-flow',
    title: 'imports, edits, shows the edit at once, commits and pushes exactly one string',
  },
];

/** The test that looks at a row; undefined: those of the services behind it do. */
export function coverageOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): Coverage | undefined {
  return coverage.find(({ rows }) => rows.test(`${method} ${path}`));
}
