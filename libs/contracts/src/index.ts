export type * from './generated/index';
export { actionByName, actionNames, ChangeAction, contentActions, RECENT_CHANGES_MS } from './change-actions';
export { eventType, loadService, protoRoot, serviceNames, type ContractName, type ServiceName } from './load';
export type { ServiceTypes } from './services';
export * from './settings/index';
export { JsonError, parseBoundedJson, type JsonBounds } from './bounded-json';
