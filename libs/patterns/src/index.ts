export { escapeLiteral, ownRegExp } from './own';
export { compileMask, fillMask, type PathMask } from './mask';
export {
  compilePattern,
  MAX_PATTERN_LENGTH,
  PatternError,
  patternProblem,
  type Pattern,
  type PatternMatch,
  type PatternOptions,
} from './pattern';
export { compileWithReferences, refersTo } from './references';
export { mapInSlices, SLICE_MS, Slice } from './slices';
export { trimEndOf, trimOf } from './trim';
