import { serviceCaller, signCaller } from '@parlance/access';
import { address, commonSettings, loadConfig, serviceSecret, tlsFiles, z } from '@parlance/config';
import type { ContractName, ServiceName } from '@parlance/contracts';
import { createClient, openTls, replicasOf, type CallOptions, type Client } from '@parlance/grpc-kit';

/** The running services as the operator's commands use them. Clients are created on first use. */
export interface Operator {
  readonly identity: Client<'identity'>;
  readonly catalog: Client<'catalog'>;
  readonly vcsWorker: Client<'vcs-worker'>;
  /** The client of any service. @throws ConfigError if the environment has no address of it */
  service<S extends ServiceName>(name: S): Client<S>;
  /** The client of a service's backups. @throws ConfigError if the environment has no address of it */
  backup(name: ServiceName): Client<'backup'>;
  /**
   * The replicas of a service and clients of their states as processes.
   * @throws ConfigError if the environment has no address of it, and errors of the name server
   */
  replicas(name: ServiceName): Promise<{ address: string; client: Client<'process'> }[]>;
  /** Options of a call, with a new signature each time: a backup takes longer than a signature is valid. */
  readonly as: CallOptions;
  /** The same, signed with each secret of PARLANCE_SERVICE_SECRET. */
  readonly asEach: CallOptions[];
  close(): void;
}

const settings = z.object({
  /** gRPC address of the running identity service. */
  IDENTITY_ADDRESS: address(),
  /** The same secret as that of the running services. */
  PARLANCE_SERVICE_SECRET: serviceSecret(),
  PARLANCE_TLS_CERT_FILE: commonSettings.PARLANCE_TLS_CERT_FILE,
  PARLANCE_TLS_KEY_FILE: commonSettings.PARLANCE_TLS_KEY_FILE,
  PARLANCE_TLS_CA_FILE: commonSettings.PARLANCE_TLS_CA_FILE,
});

/** Lifetime of the command's signature, in milliseconds. */
const LIFETIME_MS = 60_000;
/** Deadline of a call, in milliseconds; git operations set their own. */
const TIMEOUT_MS = 10_000;

/** @throws ConfigError if the secret or identity's address is missing from the environment; other clients throw it for their address */
export function connect(env: Record<string, string | undefined>): Operator {
  const config = loadConfig(settings, env);
  const tls = openTls(tlsFiles(config));
  const clients = new Map<string, { close(): void }>();
  const client = <S extends ContractName>(contract: S, name: ServiceName): Client<S> => {
    const key = `${contract} of ${name}`;
    const known = clients.get(key) ?? createClient(contract, addressOf(name, env), tls);
    clients.set(key, known);
    return known as Client<S>;
  };
  const service = <S extends ServiceName>(name: S): Client<S> => client(name, name);
  return {
    get identity() {
      return service('identity');
    },
    get catalog() {
      return service('catalog');
    },
    get vcsWorker() {
      return service('vcs-worker');
    },
    service,
    backup: (name) => client('backup', name),
    async replicas(name) {
      const address = addressOf(name, env);
      return (await replicasOf(address)).map((replica) => {
        const replicaClient = createClient('process', replica, tls, address);
        clients.set(`process at ${replica}`, replicaClient);
        return { address: replica, client: replicaClient };
      });
    },
    get as() {
      return signedWith(config.PARLANCE_SERVICE_SECRET);
    },
    get asEach() {
      return config.PARLANCE_SERVICE_SECRET.split(',').map(signedWith);
    },
    close: () => clients.forEach((each) => each.close()),
  };
}

const signedWith = (secret: string): CallOptions => ({
  as: signCaller(serviceCaller('operator'), secret, LIFETIME_MS),
  timeoutMs: TIMEOUT_MS,
});

function addressOf(name: ServiceName, env: Record<string, string | undefined>): string {
  const variable = `${name.toUpperCase().replace('-', '_')}_ADDRESS`;
  return loadConfig(z.object({ [variable]: address() }), env)[variable]!;
}
