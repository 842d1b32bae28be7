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
