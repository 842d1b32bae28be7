/**
 * Status of the readiness report of a process; 0 if it does not answer.
 * @param {string} address host:port
 * @param {{signal?: AbortSignal}} [options]
 * @returns {Promise<number>}
 */
export const readinessOf = (address, { signal } = {}) =>
  fetch(`http://${address}/readyz`, { signal: signal ?? null }).then(
    ({ status }) => status,
    () => 0,
  );

/** @typedef {{ready: boolean, parts: Record<string, 'up' | 'down'>, problems?: Record<string, string>}} Report */

/**
 * The readiness report of a process with its status.
 * @param {string} address host:port
 */
export async function readinessReportOf(address) {
  const response = await fetch(`http://${address}/readyz`);
  const report = /** @type {Report} */ (await response.json());
  return { status: response.status, ...report };
}
