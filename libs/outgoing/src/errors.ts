/** Why a request brought no answer. */
export type OutgoingProblem =
  /** The address, or one that its name resolves to, is not allowed. */
  | 'refused'
  /** The connection failed or broke, or the name does not resolve. */
  | 'unreachable'
  | 'timeout'
  /** The answer is longer than allowed. */
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
