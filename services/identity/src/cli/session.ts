import type { identity } from '@parlance/contracts';
import type { EventBus } from '@parlance/events';
import type { Operator } from './connect';

/** Environment of a command line. */
export interface CommandEnvironment {
  /** Environment variables. */
  variables: Record<string, string | undefined>;
  /** Called by commands that need the running system. */
  connect: () => Operator;
  /** Called by commands that operate the event streams. */
  connectEvents: () => Promise<EventBus>;
  /** Standard output: results only. */
  out: (text: string) => void;
  /** Standard error. */
  err: (text: string) => void;
  /** Reads standard input to its end. */
  input: () => Promise<string>;
}

/** Resources of a command; closes the connections at the end. */
export class Session {
  private operator: Operator | undefined;
  /** Set by a command that printed its result and still failed. */
  failed = false;

  constructor(readonly environment: CommandEnvironment) {}

  get system(): Operator {
    return (this.operator ??= this.environment.connect());
  }

  /** Prints a value as JSON or with `text`. */
  print<T>(value: T, options: { json?: boolean }, text: (value: T) => string): void {
    this.environment.out(`${options.json ? JSON.stringify(value, null, 2) : text(value)}\n`);
  }

  close(): void {
    this.operator?.close();
  }
}

/** Finds a user by name. @throws ServiceError if there is none */
export async function findUser(session: Session, username: string): Promise<identity.User__Output> {
  const { identity, as } = session.system;
  return (await identity.getUser({ username }, as)).user!;
}
