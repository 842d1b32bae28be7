/** Why a request got no response. */
export type OutgoingProblem =
  /** The address, or an address that its name resolves to, is not allowed. */
  | 'refused'
  /** The connection failed or broke, or the name does not resolve. */
  | 'unreachable'
  | 'timeout'
  /** The response exceeds the size limit. */
  | 'too-large';

/** A request without a response. Its message contains no secrets and may be shown to users. */
export class OutgoingError extends Error {
  constructor(
    readonly problem: OutgoingProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
