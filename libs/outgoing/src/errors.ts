/** Why a request brought no answer. */
export type OutgoingProblem =
  /** The address, or what its name stands for, may not be reached. */
  | 'refused'
  /** No connection, a broken one, or a name that nobody knows. */
  | 'unreachable'
  | 'timeout'
  /** The answer is longer than allowed. */
  | 'too-large';

/** A request that brought no answer. Its message may be shown to people. */
export class OutgoingError extends Error {
  constructor(
    readonly problem: OutgoingProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
