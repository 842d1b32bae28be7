export * from './generated/index';
export { eventType, loadService, protoRoot, serviceNames, type ServiceName } from './load';
export type { ServiceTypes } from './services';
export * from './settings/index';
