// Compares two JSON responses: every leaf is one comparison.

/** Values that differ between any two installations. */
const VOLATILE = new Set([
  'id',
  'timestamp',
  'last_updated',
  'last_change',
  'date_joined',
  'last_login',
  'revision',
  'remote_commit',
  'weblate_commit',
  'task_url',
]);

const kindOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** The order of query parameters has no meaning. */
const sortQuery = (text) =>
  text.replace(/^(https?:[^?\s]*\?)(\S*)$/, (_, head, query) => head + query.split('&').sort().join('&'));

/** Replaces values that depend on the installation: its address, ids in addresses, times. */
export function normalise(value, base, key = '') {
  // The answer to an edit has labels by their ids.
  if (key === 'labels[]' && typeof value === 'number') return '<number>';
  if (VOLATILE.has(key)) return value === null ? null : `<${kindOf(value)}>`;
  if (Array.isArray(value)) return value.map((item) => normalise(item, base, `${key}[]`));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, normalise(inner, base, name)]));
  if (typeof value === 'string')
    return sortQuery(value)
      .replaceAll(base, '<base>')
      .replace(
        /\/(units|changes|screenshots|addons|groups|roles|categories|tasks|labels|memory)\/[0-9a-f-]+\//g,
        '/$1/<id>/',
      )
      .replace(/checksum=[0-9a-f]{16}/g, 'checksum=<sum>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, '<time>');
  return value;
}

/**
 * Yields `{path, ours, theirs, equal}` for each leaf. Array indices are written as `[]`; a value missing on one side is
 * `undefined`.
 */
export function* compare(ours, theirs, path = '') {
  const [a, b] = [kindOf(ours), kindOf(theirs)];
  if (a === 'array' && b === 'array') {
    if (ours.length !== theirs.length)
      yield { path: `${path}.length`, ours: ours.length, theirs: theirs.length, equal: false };
    for (let i = 0; i < Math.min(ours.length, theirs.length); i++) yield* compare(ours[i], theirs[i], `${path}[]`);
    if (ours.length === 0 && theirs.length === 0) yield { path, ours, theirs, equal: true };
  } else if (a === 'object' && b === 'object') {
    for (const key of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
      const inner = path === '' ? key : `${path}.${key}`;
      if (!(key in theirs)) yield { path: inner, ours: ours[key], theirs: undefined, equal: false };
      else if (!(key in ours)) yield { path: inner, ours: undefined, theirs: theirs[key], equal: false };
      else yield* compare(ours[key], theirs[key], inner);
    }
  } else yield { path, ours, theirs, equal: Object.is(ours, theirs) };
}
