import { jetstreamManager } from '@nats-io/jetstream';
import { EngineUnavailableError } from '@parlance/telemetry';
import type { CertificateFiles } from '@parlance/tls';
import { connect, errors } from 'nats';
import { serversOf } from './servers';

/** Timeout of connecting and of each answer, in milliseconds. */
const TIMEOUT_MS = 3_000;

/** Connects and asks for the account of the event streams. @throws EngineUnavailableError */
export async function checkNats(url: string, tlsFiles?: CertificateFiles): Promise<void> {
  const servers = serversOf(url, tlsFiles);
  try {
    const connection = await connect({ ...servers, reconnect: false, timeout: TIMEOUT_MS });
    try {
      await jetstreamManager(connection, { timeout: TIMEOUT_MS });
    } finally {
      await connection.close();
    }
  } catch (error) {
    const rejected = error instanceof errors.AuthorizationError || error instanceof errors.PermissionViolationError;
    throw new EngineUnavailableError(rejected ? 'NATS rejects the credentials' : 'NATS is unavailable', error);
  }
}
