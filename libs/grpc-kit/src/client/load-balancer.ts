// The load-balancing policy of all clients: round robin over the replicas whose circuit is closed. Calls fail at once while
// no replica answers.
import { connectivityState, experimental, Metadata, status } from '@grpc/grpc-js';
import { counter, logger } from '@parlance/telemetry';
import { CircuitBreakers } from './circuit-breaker';

/** Name of the policy in gRPC service configs. */
export const POLICY = 'parlance_round_robin';

const { PickResultType } = experimental;

/** Calls wait so long for the first replica of a service without any, in milliseconds: a restart takes less. */
const OUTAGE_MS = 10_000;
/**
 * How often the address is resolved again, in milliseconds. With the 5 s for which Kubernetes caches DNS answers, this bounds the time in which
 * a new replica gets no calls to 10 s.
 */
const RESOLVE_MS = 4_000;
/** The same while no replica answers. gRPC does so for calls only, and the first would fail. */
const OUTAGE_RESOLVE_MS = 1_000;

/** Statuses of a replica that could not handle a call. */
const FAILURES = new Set([status.UNAVAILABLE, status.INTERNAL, status.UNKNOWN]);

const opened = counter('parlance_grpc_client_circuits_opened_total');

/** Policy config: the name of the service that is called. */
class PolicyConfig implements experimental.TypedLoadBalancingConfig {
  readonly child = experimental.parseLoadBalancingConfig({ round_robin: {} });

  constructor(readonly service: string) {}

  getLoadBalancerName(): string {
    return POLICY;
  }

  toJsonObject(): object {
    return { [POLICY]: { service: this.service } };
  }

  static createFromJson({ service }: { service: string }): PolicyConfig {
    return new PolicyConfig(service);
  }
}

/** Asks round robin until it names a replica whose circuit is closed; uses its first answer if none is. */
class BreakingPicker implements experimental.Picker {
  constructor(
    private readonly roundRobin: experimental.Picker,
    private readonly breakers: CircuitBreakers,
  ) {}

  pick(args: experimental.PickArgs): experimental.PickResult {
    let first: experimental.PickResult | undefined;
    for (let i = 0; i < this.breakers.size; i++) {
      const result = this.roundRobin.pick(args);
      if (result.pickResultType !== PickResultType.COMPLETE || !result.subchannel) return result;
      if (this.breakers.admits(result.subchannel.getAddress())) return this.counted(result);
      first ??= result;
    }
    return this.counted(first ?? this.roundRobin.pick(args));
  }

  private counted(result: experimental.PickResult): experimental.PickResult {
    const address = result.subchannel?.getAddress();
    if (address === undefined) return result;
    let ended: ((hasFailed: boolean) => void) | undefined;
    return {
      ...result,
      onCallStarted: () => {
        ended = this.breakers.started(address);
        result.onCallStarted?.();
      },
      onCallEnded: (code, details, metadata) => {
        ended?.(FAILURES.has(code));
        result.onCallEnded?.(code, details, metadata);
      },
    };
  }
}

/** Fails calls at once: without it, `waitForReady` lets each of them wait until its deadline. */
class OutagePicker implements experimental.Picker {
  constructor(private readonly service: string) {}

  pick(): experimental.PickResult {
    return {
      pickResultType: PickResultType.DROP,
      subchannel: null,
      status: { code: status.UNAVAILABLE, details: `No replica of ${this.service} answers.`, metadata: new Metadata() },
      onCallStarted: null,
      onCallEnded: null,
    };
  }
}

class BreakingLoadBalancer implements experimental.LoadBalancer {
  private readonly roundRobin: experimental.ChildLoadBalancerHandler;
  private service = '';
  private readonly breakers = new CircuitBreakers((address, { to, medianMs }) => {
    const service = this.service;
    const fields = { service, address, ...(!Number.isNaN(medianMs) && { medianMs: Math.round(medianMs) }) };
    if (to === 'closed') {
      logger.info(fields, 'grpc: replica answers in time, it gets calls again');
      return;
    }
    opened.inc({ service });
    if (to === 'open-slow') logger.warn(fields, 'grpc: replica is slow, it gets no calls');
    else logger.warn(fields, 'grpc: replica fails while others succeed, it gets no calls');
  });

  private outageTimer: NodeJS.Timeout | undefined;
  private resolveTimer: NodeJS.Timeout | undefined;
  private resolveMs = 0;
  private isOut = false;
  private isReady = false;
  /** The addresses that round robin has, in a fixed order. */
  private addresses = '';

  constructor(private readonly channel: experimental.ChannelControlHelper) {
    this.roundRobin = new experimental.ChildLoadBalancerHandler(
      experimental.createChildChannelControlHelper(channel, {
        updateState: (state, picker, error) => {
          this.isReady = state === connectivityState.READY;
          this.watchOutage(state);
          if (this.isOut) this.dropCalls(error);
          else channel.updateState(state, new BreakingPicker(picker, this.breakers), error);
        },
      }),
    );
    this.resolveEvery(RESOLVE_MS);
  }

  private resolveEvery(ms: number): void {
    if (ms === this.resolveMs) return;
    this.resolveMs = ms;
    clearInterval(this.resolveTimer);
    this.resolveTimer = setInterval(() => this.channel.requestReresolution(), ms).unref();
  }

  /** An outage begins with the first failed connection and ends with the first that is open; attempts in between change nothing. */
  private watchOutage(state: connectivityState): void {
    if (state === connectivityState.TRANSIENT_FAILURE) {
      this.resolveEvery(OUTAGE_RESOLVE_MS);
      this.outageTimer ??= setTimeout(() => {
        this.isOut = true;
        logger.warn({ service: this.service }, 'grpc: no replica answers, calls fail until one does');
        this.dropCalls();
      }, OUTAGE_MS).unref();
    } else if (state !== connectivityState.CONNECTING) this.endOutage();
  }

  private endOutage(): void {
    clearTimeout(this.outageTimer);
    this.outageTimer = undefined;
    this.resolveEvery(RESOLVE_MS);
    if (this.isOut) logger.info({ service: this.service }, 'grpc: a replica answers again');
    this.isOut = false;
  }

  /** Also fails the calls that are waiting. */
  private dropCalls(error: string | null = null): void {
    this.channel.updateState(connectivityState.TRANSIENT_FAILURE, new OutagePicker(this.service), error);
  }

  updateAddressList(
    endpoints: experimental.StatusOr<experimental.Endpoint[]>,
    config: experimental.TypedLoadBalancingConfig,
    options: Parameters<experimental.LoadBalancer['updateAddressList']>[2],
    note: string,
  ): boolean {
    if (!(config instanceof PolicyConfig)) return false;
    this.service = config.service;
    if (endpoints.ok) {
      const addresses = endpoints.value
        .flatMap((endpoint) => endpoint.addresses)
        .map((address) => experimental.subchannelAddressToString(address))
        .sort();
      const found = addresses.join();
      // Round robin would start again with the same connections.
      if (this.isReady && found === this.addresses) return true;
      this.addresses = found;
      this.breakers.setAddresses(addresses);
    }
    return this.roundRobin.updateAddressList(endpoints, config.child, options, note);
  }

  exitIdle(): void {
    this.roundRobin.exitIdle();
  }

  resetBackoff(): void {
    this.roundRobin.resetBackoff();
  }

  destroy(): void {
    clearTimeout(this.outageTimer);
    clearInterval(this.resolveTimer);
    this.roundRobin.destroy();
  }

  getTypeName(): string {
    return POLICY;
  }
}

/** Makes the policy known to gRPC. Idempotent. */
export function registerPolicy(): void {
  if (!experimental.isLoadBalancerNameRegistered(POLICY))
    experimental.registerLoadBalancerType(POLICY, BreakingLoadBalancer, PolicyConfig);
}
