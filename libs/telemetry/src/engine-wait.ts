import { logger } from './logger';

/** Pause between two checks of an unavailable engine, in milliseconds. */
const PAUSE_MS = 1_000;
/** The log repeats an unchanged reason after this time, in milliseconds. */
const REPEAT_MS = 60_000;

/** Why a process cannot use an engine. /readyz shows the message, so it names no address and no credential; the cause may. */
export class EngineUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EngineUnavailableError';
  }
}

/** Connects to an engine with the credentials of the process. @throws EngineUnavailableError */
export type EngineCheck = () => Promise<void>;

/** Waits until engines accept the process. Restarts would not bring an engine back or mend a credential. */
export class EngineWait {
  private readonly problems = new Map<string, EngineUnavailableError>();
  private readonly logged = new Map<string, { message: string; at: number }>();

  constructor(private readonly engines: Record<string, EngineCheck>) {
    for (const name of Object.keys(engines)) this.problems.set(name, new EngineUnavailableError('not checked yet'));
  }

  /** Results of the last checks, for readiness. */
  get checks(): Record<string, () => boolean> {
    const checkOf = (name: string) => () => {
      const problem = this.problems.get(name);
      if (problem) throw problem;
      return true;
    };
    return Object.fromEntries(Object.keys(this.engines).map((name) => [name, checkOf(name)]));
  }

  /** Resolves when every engine has accepted the process. @throws every error of a check that is no EngineUnavailableError */
  async untilAvailable(): Promise<void> {
    await Promise.all(Object.entries(this.engines).map(([name, check]) => this.wait(name, check)));
  }

  private async wait(name: string, check: EngineCheck): Promise<void> {
    for (;;) {
      try {
        await check();
        this.problems.delete(name);
        return;
      } catch (error) {
        if (!(error instanceof EngineUnavailableError)) throw error;
        this.problems.set(name, error);
        this.log(name, error);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  private log(name: string, error: EngineUnavailableError): void {
    const last = this.logged.get(name);
    if (last?.message === error.message && Date.now() - last.at < REPEAT_MS) return;
    this.logged.set(name, { message: error.message, at: Date.now() });
    logger.warn({ err: error, dependency: name }, `waiting to start: ${error.message}`);
  }
}
