export { CHECKS, type CheckContext, type CheckDefinition, findCheck, type Severity } from './table';
export { FLAG_ALIASES, FLAGS, type FlagSpec } from './flag-table';
export {
  effectiveMaxLength,
  FlagError,
  Flags,
  type FlagValue,
  MAX_FLAGS_LENGTH,
  mergeFlags,
  NO_FLAGS,
  parseFlags,
} from './flags';
export { RUNNABLE_CHECKS, runChecks } from './run';
export type { CheckInput } from './unit';
export * from './context';
export { autofix, type AutofixId, type AutofixResult, AUTOFIXES, withoutControls } from './autofix';
export { countChars, countWords } from './words';
