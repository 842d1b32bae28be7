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
  entryFile,
  isConverterAvailable,
  type Availability,
  type ConverterInfo,
  type ConvertOptions,
  type ConvertUnit,
} from './convert/convert';
export { blankIsUnit, keepsApproval, keepsStates, keyAncestors, keySeparators } from './registry';
export { pairWithTemplate, UnitMatcher, type MatchCandidate, type PairedUnit } from './match';
export { compilePo } from './po/compile';
export { creditAuthor } from './po/credit';
export { mergeTemplate, type MergeOptions } from './po/merge';
export { rewrapPo } from './po/rewrap';
export { layoutJson, type JsonLayout } from './upkeep/json-layout';
export { followBase, removeBlank, removeUnknownStrings } from './upkeep/prune';
export { sortProperties } from './upkeep/sort-properties';
export { layoutXml } from './upkeep/xml-layout';
export { layoutYaml, type YamlLayout } from './upkeep/yaml-layout';
export { readTmx, TmxWriter, type MemoryFileEntry } from './terminology/memory-file';
