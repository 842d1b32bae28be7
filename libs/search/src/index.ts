export * from './ast';
export * from './errors';
export { type DateSpan, parseDate } from './dates';
export { compileRegex, hasNestedRepetition, MAX_REGEX_LENGTH, RegexError, type SafeRegex } from './regex';
export * from './options';
export { parseQuery } from './parse';
export { STATES } from './terms';
export { compileQuery, evaluate, type Predicate, type Remark, type UnitView } from './evaluate';
export { requiredTexts, type Required } from './required';
export {
  joinTerms,
  type MongoFilter,
  NOTHING,
  type ResolveTerm,
  toMongo,
  type ToMongoOptions,
  type UnitFieldMap,
  UnmappedTermError,
} from './to-mongo';
