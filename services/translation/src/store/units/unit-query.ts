import { escapeLiteral } from '@parlance/patterns';
import { NOTHING, toMongo, type MongoFilter } from '@parlance/search';
import {
  DEFAULT_PRIORITY,
  UNIT_FIELDS,
  type RemarkCondition,
  type TimeSpan,
  type UnitQuery,
} from '../../domain/unit-query';

const FIELDS = { ...UNIT_FIELDS, id: '_id' };
/** Terms in one regular expression: longer ones exceed the engine's limits. */
const TERMS = 200;

const all = (filters: readonly MongoFilter[]): MongoFilter => {
  const given = filters.filter((filter) => Object.keys(filter).length > 0);
  return given.length === 0 ? {} : given.length === 1 ? given[0]! : { $and: given };
};

const any = (filters: readonly MongoFilter[]): MongoFilter =>
  filters.length === 0 ? NOTHING : filters.length === 1 ? filters[0]! : { $or: filters };

const among = (field: string, ids: readonly number[], exclude = false): MongoFilter => ({
  [field]: exclude ? { $nin: ids } : ids.length === 1 ? ids[0] : { $in: ids },
});

const within = (field: string, { from, before }: TimeSpan): MongoFilter => ({
  [field]: { ...(from === undefined ? {} : { $gte: from }), ...(before === undefined ? {} : { $lt: before }) },
});

function priorityFilter({ values, min, max }: Extract<UnitQuery, { kind: 'priority' }>): MongoFilter {
  const holdsDefault = values
    ? values.includes(DEFAULT_PRIORITY)
    : (min ?? -Infinity) <= DEFAULT_PRIORITY && DEFAULT_PRIORITY <= (max ?? Infinity);
  const bounds = values
    ? { $in: values }
    : { ...(min === undefined ? {} : { $gte: min }), ...(max === undefined ? {} : { $lte: max }) };
  // Documents omit the default priority.
  return holdsDefault ? any([{ priority: bounds }, { priority: { $exists: false } }]) : { priority: bounds };
}

function wordsFilter({ project, terms }: Extract<UnitQuery, { kind: 'sourceWords' }>): MongoFilter {
  const patterns = terms.map(escapeLiteral);
  const filters: MongoFilter[] = [];
  for (let at = 0; at < patterns.length; at += TERMS) {
    const pattern = `(^|[^[:alnum:]])(${patterns.slice(at, at + TERMS).join('|')})([^[:alnum:]]|$)`;
    filters.push({ project, source: { $regex: pattern, $options: 'i' } });
  }
  return any(filters);
}

const presence = {
  suggestions: { suggestions: { $gt: 0 } },
  comments: { comments: { $gt: 0 } },
  flags: { flags: { $exists: true } },
} as const;

/** Translates a query into a Mongo filter. */
export function unitFilter(query: UnitQuery): MongoFilter {
  switch (query.kind) {
    case 'and':
      return all(query.all.map(unitFilter));
    case 'or':
      return any(query.any.map(unitFilter));
    case 'ids':
      return { _id: { $in: query.ids } };
    case 'present':
      // The removal unsets it. A condition on the translation could make the store read all units in the order of an index.
      return { component: { $exists: true } };
    case 'translations':
      return among('translation', query.ids);
    case 'components':
      return among('component', query.ids, query.exclude);
    case 'projects':
      return among('project', query.ids, query.exclude);
    case 'sourceUnits':
      return { sourceUnit: query.exclude ? { $nin: query.ids } : { $in: query.ids } };
    case 'sourceUnit':
      return { contentHash: query.contentHash, sourceUnit: query.id };
    case 'language':
      return { language: query.code };
    case 'states':
      return { state: { $in: query.states } };
    case 'priority':
      return priorityFilter(query);
    case 'created':
    case 'updated':
      return within(query.kind, query);
    case 'has':
      return presence[query.what];
    case 'flags':
      return { flags: { $regex: query.pattern } };
    case 'sourceWords':
      return wordsFilter(query);
    case 'search': {
      const { resolved } = query;
      return toMongo(query.query, FIELDS, { resolve: (term) => unitFilter(resolved.get(term)!) });
    }
  }
}

/** Translates a condition on suggestions (`target`) or comments (`text`) into a Mongo filter. */
export function remarkFilter({ user, resolved, text }: RemarkCondition): MongoFilter {
  const filters: MongoFilter[] = [];
  if (user !== undefined) filters.push({ user });
  if (text) filters.push(toMongo(text, { suggestion: 'target', comment: 'text', resolved_comment: 'text' }));
  if (resolved !== undefined) filters.push({ resolved: resolved ? true : { $ne: true } });
  return all(filters);
}
