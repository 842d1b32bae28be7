import { join } from 'node:path';
import { loadSync, type Options } from '@grpc/proto-loader';
import { loadPackageDefinition, type GrpcObject, type ServiceClientConstructor } from '@grpc/grpc-js';
import { Root, type Type } from 'protobufjs';

/** The folder `protos`. The relative path is the same from `src` and `dist`. */
export const protoRoot = join(__dirname, '..', '..', '..', 'protos');

/** Representation of messages in code. Counts and ids stay below 2^53, so they are numbers; 64-bit hashes are strings. */
const options: Options = {
  keepCase: false,
  longs: Number,
  enums: String,
  defaults: true,
  arrays: true,
  objects: false,
  oneofs: true,
  includeDirs: [protoRoot],
};

/** Services by package name. */
export const serviceNames = [
  'identity',
  'catalog',
  'translation',
  'vcs-worker',
  'media',
  'statistics',
  'hooks',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The contract of a service, or one that every service serves: backups, and the state of the process. */
export type ContractName = ServiceName | 'backup' | 'process';

const loaded = new Map<ContractName, { client: ServiceClientConstructor; fullName: string }>();

/** The client constructor of a contract, with its `service` definition. Cached. */
export function loadService(name: ContractName): { client: ServiceClientConstructor; fullName: string } {
  let entry = loaded.get(name);
  if (!entry) {
    const pkg = name.replace('-', '_');
    const definition = loadSync(`parlance/${pkg}/v1/${pkg}.proto`, options);
    const fullName = Object.keys(definition).find((k) => 'format' in definition[k]! === false);
    if (!fullName) throw new Error(`no service in the contract of ${name}`);
    let node: GrpcObject | ServiceClientConstructor = loadPackageDefinition(definition);
    for (const part of fullName.split('.')) node = (node as GrpcObject)[part] as GrpcObject;
    // The last part of the full name is the service.
    entry = { client: node as unknown as ServiceClientConstructor, fullName };
    loaded.set(name, entry);
  }
  return entry;
}

let cachedEventType: Type | undefined;

/** The protobuf type of parlance.events.v1.Event, for encoding and decoding. */
export function eventType(): Type {
  if (!cachedEventType) {
    const root = new Root();
    root.resolvePath = (_origin, target) => join(protoRoot, target);
    root.loadSync('parlance/events/v1/events.proto');
    cachedEventType = root.lookupType('parlance.events.v1.Event');
  }
  return cachedEventType;
}
