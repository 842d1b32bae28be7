export * from './format';
export { formats, formatOf } from './formats';
export {
  detectFormat,
  formatInfo,
  registry,
  type FormatId,
  type FormatInfo,
  type FormatKind,
  type LanguageCodeStyle,
} from './registry';
export { packFolder, unpackFolder } from './archive/appstore';
export {
  converterInfo,
  converters,
  convert,
  isConverterAvailable,
  type Availability,
  type ConverterInfo,
  type ConvertOptions,
  type ConvertUnit,
} from './convert/convert';
export { blankIsUnit } from './registry';
export { pairWithTemplate, UnitMatcher, type MatchCandidate, type PairedUnit } from './match';
