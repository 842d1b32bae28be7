export { CHECKS, type CheckContext, type CheckDefinition, findCheck, type Severity } from './check-definitions';
export { FLAG_ALIASES, FLAGS, type FlagConstraints } from './flags/flag-definitions';
export {
  effectiveMaxLength,
  FlagError,
  Flags,
  type FlagValue,
  MAX_FLAGS_LENGTH,
  mergeFlags,
  NO_FLAGS,
  parseFlags,
} from './flags/flags';
export { type FontWidths, ProjectFonts, UploadedFont } from './fonts/project-fonts';
export { RUNNABLE_CHECKS, runChecks } from './run-checks';
export type { CheckInput } from './check-input';
export * from './context-checks';
export { autofix, type AutofixId, type AutofixResult, AUTOFIXES, stripControlCharacters } from './autofix';
export { countChars, countWords } from './word-count';
export { TermFinder } from './spans/find-terms';
export { highlight, type Highlight } from './spans/highlights';
export { LOCATED_CHECKS, locateCheck } from './spans/locate-check';
export { safeFix } from './spans/safe-fix';
export { type CheckSpan, codePointOffset, type Extent } from './spans/span';
