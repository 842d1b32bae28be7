// Reads and changes queries in PromQL.

const SERIES = String.raw`\b(?:(?:parlance|nodejs|process)[_:][\w:]+|up\b)`;
/** A string, which stays as it is, or the name of a series with the begin of its selector. */
const SELECTOR = new RegExp(String.raw`("(?:[^"\\]|\\.)*")|(${SERIES})(\{\s*\}?)?`, 'g');

/** Series that a query names. */
export const namesIn = (query) => [...query.matchAll(SELECTOR)].flatMap(([, , series]) => series ?? []);

/**
 * A query that selects only series with certain labels. Label values are names of Kubernetes: they need no escaping.
 *
 * @param {string} query PromQL, also within Grafana's `label_values(...)`
 * @param {Record<string, string>} labels
 */
export function scopedQuery(query, labels) {
  const matchers = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return query.replace(SELECTOR, (_, text, series, opening) => {
    if (text) return text;
    const continues = opening && !opening.endsWith('}');
    return `${series}{${matchers.join(',')}${continues ? ',' : '}'}`;
  });
}

/** The queries of a page of the runbooks: `query '...'`. */
export const queriesIn = (page) => [...page.matchAll(/^ *query '([^']+)'/gm)].map(([, query]) => query);

/** The query of a panel with values in the place of Grafana's variables. */
export const filledQuery = (query, { rateInterval, component }) =>
  query.replaceAll('$__rate_interval', rateInterval).replaceAll('$component', component);
