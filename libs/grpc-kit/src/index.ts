export { backupHandlers, type BackedUpCollection, type BackedUpObjects, type BackedUpStore } from './backup';
export { createClient, DEFAULT_TIMEOUT_MS } from './client/client';
export { ownCaller } from './identity';
export { MaintenanceCache, readMaintenance, type Maintenance } from './maintenance';
export { pageOf, requireId, requireService, searchOf, type RequestedPage } from './requests';
export { serve, type RunningServer } from './server';
export { chunks, CHUNK_BYTES } from './streams';
export { openTls, type Tls, type TlsFiles } from './transport/tls';
export type { CallContext, CallOptions, Client, Implementation } from './types';
