// The requests of an active editor.

/** Strings of a list that an editor reads. */
const PAGE = 20;

/**
 * The requests of action number `i`, which edits the string with that number. The edit comes last, so that the next list is not one that a
 * cache has.
 * @param api client of the API
 * @param {string} path of the translation in the API
 * @param units its strings
 * @param {number} i
 * @param {string} text beginning of the new text
 */
export function requestsOf(api, path, units, i, text) {
  const { id, source } = units[i % units.length];
  const pages = Math.max(1, Math.floor(units.length / PAGE));
  return {
    list: () => api.get(`${path}/units/?page_size=${PAGE}&page=${1 + (i % pages)}`),
    string: () => api.get(`/api/units/${id}/`),
    statistics: () => api.get(`${path}/statistics/`),
    edit: () => api.patch(`/api/units/${id}/`, { target: [`${text} ${i}: ${source[0]}`], state: 20 }),
  };
}

/** Requests of an action. */
export const REQUESTS = 4;

/** Sends the requests of an action one after the other. */
export async function act(requests) {
  for (const request of Object.values(requests)) await request();
}

/** The strings of a translation that have one text each. */
export async function singularUnits(api, path) {
  const units = await api.all(`${path}/units/?page_size=1000`);
  return units.filter(({ source }) => source.length === 1);
}
