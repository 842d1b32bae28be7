/** Fields of a message; the generated types also have a marker `_name` for each optional field. */
type FieldOf<Message> = Exclude<keyof Message, `_${string}`>;

/**
 * Makes the compiler report fields that a mapper forgets: the mapper destructures its message and passes the rest, which must contain no
 * field. Unused variables are errors, so each destructured field is mapped.
 */
export function requireAllMapped<Rest extends object>(
  _rest: [FieldOf<Rest>] extends [never] ? Rest : { unmapped: FieldOf<Rest> },
): void {
  // The check is in the type.
}
