// Circuit breakers of the replicas of one service: which replicas answer much slower than the others, or fail their calls while others
// succeed, and get no calls for a while.
// The decision and its measurements: docs/adr/0035-break-circuits-to-slow-replicas.md.

/** Durations of a replica's last calls that its median is taken of. */
const SAMPLES = 8;
/** Calls from which on a median counts. */
const MIN_SAMPLES = 5;
/** A replica is slow if its median exceeds that of the fastest other one by this factor ... */
const SLOW_FACTOR = 4;
/** ... and by this time, in milliseconds. */
const SLOW_MS = 200;
/** Pending calls from which on a replica can be stalled, ... */
const STALLED_CALLS = 3;
/** ... and the time without an answer after which it is, in milliseconds. */
const STALLED_MS = 1_000;
/** Calls in a row that a replica fails, while another one succeeds, until its circuit opens. */
const FAILED_CALLS = 5;
/** How long a circuit stays open first and at most, in milliseconds. It doubles with each probe that is slow or fails, too. */
const FIRST_OPEN_MS = 5_000;
const MAX_OPEN_MS = 60_000;

/** Measurements of a replica. Times are in milliseconds of the clock of its `CircuitBreakers`. */
class Replica {
  durations: number[] = [];
  pending = 0;
  /** Calls that failed since the last one that succeeded. */
  failedInRow = 0;
  /** When the replica last answered, or got its first call after it had none. */
  progressAt = 0;
  /** closed: gets calls; open: gets none until `openUntil`; probing: gets one call, which decides. */
  circuit: 'closed' | 'open' | 'probing' = 'closed';
  openUntil = 0;
  openMs = FIRST_OPEN_MS;

  /** NaN if no call has succeeded. */
  median(): number {
    const sorted = [...this.durations].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? NaN;
  }
}

/** Why a circuit opens, or that it closes. `medianMs`: NaN if no call has succeeded. */
export interface CircuitChange {
  to: 'open-slow' | 'open-failing' | 'closed';
  medianMs: number;
}

/** Called when a circuit opens or closes. */
export type CircuitListener = (address: string, change: CircuitChange) => void;

/**
 * The circuit breakers of a service's replicas, as one client sees them. All replicas get the same mix of methods, so their medians are
 * comparable, and a long call among short ones changes no median. A breaker never opens because all replicas are slow or fail.
 */
export class CircuitBreakers {
  private readonly replicas = new Map<string, Replica>();

  /** @param now the clock, in milliseconds */
  constructor(
    private readonly listener: CircuitListener,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Number of known replicas. */
  get size(): number {
    return this.replicas.size;
  }

  /** Sets the addresses of all replicas. Known ones keep their state. */
  setAddresses(addresses: readonly string[]): void {
    const wanted = new Set(addresses);
    for (const address of this.replicas.keys()) if (!wanted.has(address)) this.replicas.delete(address);
    for (const address of wanted) if (!this.replicas.has(address)) this.replicas.set(address, new Replica());
  }

  /** Whether a replica may get a call now. Callers that find none use any: slow answers are better than none. */
  admits(address: string): boolean {
    const replica = this.replicas.get(address);
    if (!replica) return true;
    if (replica.circuit === 'open' && this.now() >= replica.openUntil) replica.circuit = 'probing';
    if (replica.circuit === 'open') return false;
    if (replica.circuit === 'probing') return replica.pending === 0;
    return replica.pending < STALLED_CALLS || this.now() - replica.progressAt < STALLED_MS;
  }

  /**
   * Counts a call.
   * @returns to be called at its end. The time of a failed call does not count: a replica that fails at once is not fast.
   */
  started(address: string): (hasFailed: boolean) => void {
    const replica = this.replicas.get(address);
    if (!replica) return () => undefined;
    const startedAt = this.now();
    if (replica.pending++ === 0) replica.progressAt = startedAt;
    return (hasFailed) => {
      const endedAt = this.now();
      replica.pending--;
      replica.progressAt = endedAt;
      if (hasFailed) this.recordFailure(address, replica);
      else this.recordSuccess(address, replica, endedAt - startedAt);
    };
  }

  private recordFailure(address: string, replica: Replica): void {
    replica.failedInRow++;
    if (replica.circuit === 'probing') this.openLonger(address, replica, 'open-failing');
    else if (replica.circuit === 'closed' && replica.failedInRow >= FAILED_CALLS && this.hasHealthyOther(replica))
      this.open(address, replica, 'open-failing');
  }

  private hasHealthyOther(replica: Replica): boolean {
    return [...this.replicas.values()].some(
      (other) =>
        other !== replica && other.circuit === 'closed' && other.failedInRow === 0 && other.durations.length > 0,
    );
  }

  private recordSuccess(address: string, replica: Replica, durationMs: number): void {
    replica.failedInRow = 0;
    if (replica.circuit === 'open') return;
    replica.durations.push(durationMs);
    if (replica.durations.length > SAMPLES) replica.durations.shift();
    if (replica.circuit === 'probing') {
      if (this.isSlow(replica, durationMs)) this.openLonger(address, replica, 'open-slow');
      else this.close(address, replica);
    } else if (
      durationMs > SLOW_MS &&
      replica.durations.length >= MIN_SAMPLES &&
      this.isSlow(replica, replica.median())
    )
      this.open(address, replica, 'open-slow');
  }

  /** Whether a duration is much longer than the median of the fastest other replica. */
  private isSlow(replica: Replica, durationMs: number): boolean {
    const others = [...this.replicas.values()]
      .filter((other) => other !== replica && other.circuit === 'closed' && other.durations.length >= MIN_SAMPLES)
      .map((other) => other.median());
    return others.length > 0 && durationMs > SLOW_FACTOR * Math.min(...others) + SLOW_MS;
  }

  private openLonger(address: string, replica: Replica, to: 'open-slow' | 'open-failing'): void {
    replica.openMs = Math.min(replica.openMs * 2, MAX_OPEN_MS);
    this.open(address, replica, to);
  }

  private open(address: string, replica: Replica, to: 'open-slow' | 'open-failing'): void {
    replica.circuit = 'open';
    replica.openUntil = this.now() + replica.openMs;
    this.listener(address, { to, medianMs: replica.median() });
  }

  private close(address: string, replica: Replica): void {
    replica.circuit = 'closed';
    replica.openMs = FIRST_OPEN_MS;
    replica.durations = replica.durations.slice(-1);
    this.listener(address, { to: 'closed', medianMs: replica.median() });
  }
}
