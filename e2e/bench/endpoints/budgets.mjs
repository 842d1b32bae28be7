// Budgets of endpoints: how much slower than a bare server (../bare/direct.mjs) each may be.

/**
 * Maximum ratio between the p50 of an endpoint and that of the bare server, which reads one object, or a page of as many
 * objects, or changes one object, by an index of the same store. `file`: the size of the content decides, so there is no ratio.
 * @type {Record<'object' | 'page' | 'combined' | 'file' | 'write', number | undefined>}
 */
export const budgets = { object: 1.5, page: 1.2, combined: 2, file: undefined, write: 2.5 };

/**
 * @typedef {object} EndpointRow
 * @property {keyof typeof budgets} kind `combined`: statistics, history, and objects with data of several services
 * @property {string} [query]
 * @property {Record<string, string>} [params] path parameters whose values have other names in the world
 * @property {(i: number) => object} [body] of the i-th request of a write
 */

/** @type {(query?: string, params?: Record<string, string>) => EndpointRow} */
const object = (query, params) => ({ kind: 'object', query, params });
/** @type {(params?: Record<string, string>) => EndpointRow} */
const page = (params) => ({ kind: 'page', query: 'page_size=100', params });
/** @type {(query?: string) => EndpointRow} */
const combined = (query) => ({ kind: 'combined', query });
/** @type {(query?: string, params?: Record<string, string>) => EndpointRow} */
const file = (query, params) => ({ kind: 'file', query, params });
/** @type {(body: (i: number) => object) => EndpointRow} */
const write = (body) => ({ kind: 'write', params: { unit: 'singularUnit' }, body });

const history = combined('page_size=100');
const period = 'start=2020-01-01&end=2100-01-01';
const ownToken = { token: 'personalToken' };
const discussed = { unit: 'discussedUnit' };

/**
 * Rows by path as in /api/schema/. A unit test requires one for every GET endpoint.
 * @type {Record<string, EndpointRow>}
 */
export const rows = {
  '/api/': object(),
  '/api/addons/': page(),
  '/api/addons/{addon}/': object(),
  '/api/categories/': page(),
  '/api/categories/{category}/': object(),
  '/api/categories/{category}/statistics/': combined(),
  '/api/changes/': history,
  '/api/changes/{change}/': object(),
  '/api/checks/': page(),
  '/api/checks/{check}/': object(),
  '/api/component-lists/': page(),
  '/api/component-lists/{list}/': object(),
  '/api/component-lists/{list}/components/': page(),
  '/api/component-lists/{list}/statistics/': combined(),
  '/api/components/': page(),
  '/api/components/{project}/{component}/': object(),
  '/api/components/{project}/{component}/agreement/': object(),
  '/api/components/{project}/{component}/changes/': history,
  '/api/components/{project}/{component}/credits/': combined(period),
  '/api/components/{project}/{component}/file/': file(),
  '/api/components/{project}/{component}/linked_components/': page(),
  '/api/components/{project}/{component}/links/': page(),
  '/api/components/{project}/{component}/lock/': object(),
  '/api/components/{project}/{component}/monolingual_base/': file(undefined, { component: 'monolingual' }),
  '/api/components/{project}/{component}/new_template/': file(),
  '/api/components/{project}/{component}/repository/': combined(),
  '/api/components/{project}/{component}/screenshots/': page(),
  '/api/components/{project}/{component}/statistics/': combined('page_size=100'),
  '/api/components/{project}/{component}/translations/': page(),
  '/api/groups/': page(),
  '/api/groups/{group}/': object(),
  '/api/languages/': page(),
  '/api/languages/{code}/': object(),
  '/api/languages/{code}/statistics/': combined(),
  '/api/memory/': page(),
  '/api/memory/{memory}/': object(),
  '/api/memory/file/': file(),
  '/api/metrics/': combined(),
  '/api/projects/': page(),
  '/api/projects/{project}/': object(),
  '/api/projects/{project}/categories/': page(),
  '/api/projects/{project}/changes/': history,
  '/api/projects/{project}/components/': page(),
  '/api/projects/{project}/credits/': combined(period),
  '/api/projects/{project}/file/': file(),
  '/api/projects/{project}/fonts/': page(),
  '/api/projects/{project}/fonts/{font}/': object(),
  '/api/projects/{project}/fonts/{font}/file/': file(),
  '/api/projects/{project}/labels/': page(),
  '/api/projects/{project}/languages/': combined('page_size=100'),
  '/api/projects/{project}/lock/': object(),
  '/api/projects/{project}/machinery_settings/': object(),
  '/api/projects/{project}/repository/': combined(),
  '/api/projects/{project}/shared_components/': page({ project: 'otherProject' }),
  '/api/projects/{project}/statistics/': combined(),
  '/api/projects/{project}/tokens/': page(),
  '/api/projects/{project}/tokens/{token}/': object(undefined, { token: 'projectToken' }),
  '/api/roles/': page(),
  '/api/roles/{role}/': object(),
  '/api/schema/': file(),
  '/api/screenshots/': page(),
  '/api/screenshots/{screenshot}/': object(),
  '/api/screenshots/{screenshot}/file/': file(),
  '/api/search/': combined('q=bench'),
  '/api/tasks/{task}/': object(),
  '/api/translations/': page(),
  '/api/translations/{project}/{component}/{language}/': object(),
  '/api/translations/{project}/{component}/{language}/changes/': history,
  '/api/translations/{project}/{component}/{language}/file/': file(),
  '/api/translations/{project}/{component}/{language}/repository/': combined(),
  '/api/translations/{project}/{component}/{language}/statistics/': combined(),
  '/api/translations/{project}/{component}/{language}/suggestions/': page(),
  '/api/translations/{project}/{component}/{language}/units/': page(),
  '/api/units/': page(),
  '/api/units/{unit}/': object(),
  '/api/units/{unit}/checks/': page(),
  '/api/units/{unit}/comments/': page(discussed),
  '/api/units/{unit}/context/': combined(),
  '/api/units/{unit}/suggestions/': page(discussed),
  '/api/units/{unit}/translations/': page({ unit: 'sourceUnit' }),
  '/api/users/': page(),
  '/api/users/{username}/': object(),
  '/api/users/{username}/contributions/': combined('page_size=100'),
  '/api/users/{username}/notifications/': page(),
  '/api/users/{username}/notifications/{subscription}/': object(),
  '/api/users/{username}/second-factors/': page(),
  '/api/users/{username}/second-factors/{factor}/': object(),
  '/api/users/{username}/statistics/': combined(),
  '/api/users/{username}/tokens/': page(),
  '/api/users/{username}/tokens/{token}/': object(undefined, ownToken),
  '/exports/rss/': history,
  '/exports/rss/{project}/': history,
  '/exports/rss/{project}/-/{code}/': history,
  '/exports/rss/{project}/{component}/': history,
  '/exports/rss/{project}/{component}/{language}/': history,
  '/exports/rss/language/{code}/': history,
  '/exports/stats/{project}/{component}/': combined(),
  '/git/{project}/{component}/info/refs/': file('service=git-upload-pack'),
};

/**
 * Writes that editors and programs send all the time, by method and path.
 * @type {Record<string, EndpointRow>}
 */
export const hotWrites = {
  'PATCH /api/units/{unit}/': write((i) => ({ target: [`Text ${i}`], state: 20 })),
  'POST /api/units/{unit}/suggestions/': write((i) => ({ target: [`Suggested text ${i}`] })),
  'POST /api/units/{unit}/comments/': write((i) => ({ comment: `Comment ${i}`, scope: 'translation' })),
};

/** Endpoints of each kind for `--short`: reads of each service, with and without data of others, and the most frequent writes. */
export const shortPaths = [
  'PATCH /api/units/{unit}/',
  'POST /api/units/{unit}/suggestions/',
  '/api/categories/{category}/',
  '/api/component-lists/{list}/statistics/',
  '/api/components/{project}/{component}/repository/',
  '/api/groups/',
  '/api/languages/',
  '/api/projects/{project}/changes/',
  '/api/screenshots/',
  '/api/translations/',
  '/api/translations/{project}/{component}/{language}/',
  '/api/translations/{project}/{component}/{language}/units/',
  '/api/units/{unit}/',
  '/api/units/{unit}/context/',
  '/api/users/{username}/statistics/',
  '/exports/rss/{project}/',
];

/** Endpoints that a short run also measures after edits, when gateways keep no current reply. */
export const shortPathsAfterEdits = [
  '/api/projects/{project}/changes/',
  '/api/translations/{project}/{component}/{language}/',
  '/api/translations/{project}/{component}/{language}/units/',
  '/api/units/{unit}/',
];

/** GET endpoints that change data; a benchmark of reads does not call them. */
export const writes = ['/hooks/update/{project}/', '/hooks/update/{project}/{component}/'];

/** @param {string[]} paths as in /api/schema/ @returns messages about paths and rows without counterpart */
export function tableProblems(paths) {
  const rated = [...Object.keys(rows), ...writes];
  return [
    ...paths.filter((path) => !rated.includes(path)).map((path) => `GET ${path} has no row in endpoints/budgets.mjs`),
    ...rated
      .filter((path) => !paths.includes(path))
      .map((path) => `GET ${path} of endpoints/budgets.mjs does not exist`),
  ];
}
