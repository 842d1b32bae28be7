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
