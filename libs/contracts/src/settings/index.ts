export type { AddonDefinition, AddonEvent, AddonScope } from './addon-definitions/definition';
export { addonMisfit, type AddonTarget } from './addon-definitions/fit';
export { addonDefinition, addonDefinitions } from './addon-definitions';
export * from './choices';
export { componentSettings, requiredFromFile } from './component';
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
export {
  objectProblem,
  readSettings,
  settingField,
  settingProblem,
  settingsToMessage,
  textProblem,
  type ReadSettings,
  type SettingValues,
} from './read';
export { maskSecrets, restoreSecrets, SECRET_MASK, secretNames } from './secrets';
export {
  addonSettings,
  categorySettings,
  componentListSettings,
  labelSettings,
  languageSettings,
  pluralSettings,
} from './structure';
export type { Setting, SettingProblem, SettingsMode, SettingsTable, SettingType, SettingValue } from './types';
