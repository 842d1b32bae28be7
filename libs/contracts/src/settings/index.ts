export { noSettings } from './addon-definitions/definition';
export type { AddonDefinition, AddonEvent, AddonScope } from './addon-definitions/definition';
export { addonMisfit, type AddonTarget } from './addon-definitions/fit';
export { addonDefinition, addonDefinitions } from './addon-definitions';
export * from './choices';
export { componentSettings, componentFromFile } from './component';
export { isoTime } from './iso-time';
export { isMailAddress } from './mail-address';
export {
  defaultMessages,
  messageVariables,
  renderTemplate,
  repoWebVariables,
  TemplateError,
  templateFilters,
  templateProblem,
  type TemplateScope,
  type TemplateValue,
} from './message-template';
export { formatParamSettings } from './format-params';
export { machineryDefinitions, MEMORY_ENGINES, type MachineryDefinition, type MachineryId } from './machinery';
export { projectSettings } from './project';
export * as field from './field';
export type { FieldInfo, FieldType, Instant, Reference } from './field';
export {
  fieldOf,
  fieldsOf,
  readRequest,
  toMessage,
  valueProblem,
  type ReadRequest,
  type RequestField,
  type RequestMessage,
  type RequestMode,
  type RequestSchema,
  type RequestValues,
} from './request';
export { objectProblem, textProblem, type SettingProblem, type Shape } from './text-rules';
export { maskSecrets, restoreSecrets, SECRET_MASK, secretNames } from './secrets';
export {
  addonSettings,
  categorySettings,
  componentListSettings,
  labelSettings,
  languageSettings,
  pluralSettings,
} from './structure';
