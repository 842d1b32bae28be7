import { fieldErrors } from '@parlance/errors';
import { parseQuery, SearchError, toMongo, type MongoFilter, type Term, type UnitFieldMap } from '@parlance/search';

/** Where a stored unit keeps what queries ask for. What is left out is answered by `resolve` or refused. */
const fields: UnitFieldMap = {
  id: '_id',
  source: 'source',
  target: 'target',
  context: 'context',
  note: 'note',
  location: 'location',
  explanation: 'explanation',
  flags: 'flags',
  extra_flags: 'extraFlags',
  state: 'state',
  pending: 'pending',
  position: 'position',
  labels: 'labels',
  labels_count: 'labels',
  check: 'checks',
  dismissed_check: 'dismissedChecks',
  language: 'language',
};

const numbers: Partial<Record<string, string>> = { suggestion: 'suggestions', comment: 'comments' };
const dates: Partial<Record<string, string>> = { added: 'created', last_changed: 'updated' };
/** Priority of a unit whose document does not say one. */
const DEFAULT_PRIORITY = 100;

function resolve(term: Term): MongoFilter {
  if (term.type === 'has' && numbers[term.what]) return { [numbers[term.what]!]: { $gt: 0 } };
  if (term.type === 'date' && dates[term.field]) {
    return {
      [dates[term.field]!]: {
        ...(term.from === undefined ? {} : { $gte: term.from }),
        ...(term.before === undefined ? {} : { $lt: term.before }),
      },
    };
  }
  if (term.type === 'number' && term.field === 'priority') {
    const holds = term.values
      ? term.values.includes(DEFAULT_PRIORITY)
      : (term.min ?? -Infinity) <= DEFAULT_PRIORITY && DEFAULT_PRIORITY <= (term.max ?? Infinity);
    const bounds = term.values
      ? { $in: term.values }
      : {
          ...(term.min === undefined ? {} : { $gte: term.min }),
          ...(term.max === undefined ? {} : { $lte: term.max }),
        };
    return holds ? { $or: [{ priority: bounds }, { priority: { $exists: false } }] } : { priority: bounds };
  }
  const name =
    'field' in term
      ? term.field
      : 'what' in term
        ? `has:${term.what}`
        : 'fields' in term
          ? term.fields.join(', ')
          : term.type;
  throw fieldErrors([{ attr: 'q', code: 'invalid', detail: `Searching by "${name}" is not possible here.` }]);
}

/** The store filter of a search query; null for an empty one. @throws INVALID on field q */
export function searchFilter(q: string): MongoFilter | null {
  if (q.trim() === '') return null;
  try {
    return toMongo(parseQuery(q), fields, { resolve });
  } catch (error) {
    if (error instanceof SearchError) throw fieldErrors([{ attr: 'q', code: 'invalid', detail: error.message }]);
    throw error;
  }
}
