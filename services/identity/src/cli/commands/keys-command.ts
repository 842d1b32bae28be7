import { serviceNames, type ServiceName } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { Command } from 'commander';
import { explain } from '../explain';
import type { Session } from '../session';
import { table } from '../table';

/** Time limit of a call that reads all secrets of a service, in milliseconds. */
const TIMEOUT_MS = 120_000;

/** Secrets of a service, as JSON shows them. */
interface ServiceKeys {
  service: ServiceName;
  /** Whether the service accepts each of the command's service secrets, in their order. */
  accepts: boolean[];
  /** Secrets in the store by fingerprint of the encryption key, the current one first. */
  sealed: { key: string; count: number }[];
  unreadable: number;
}

/** Commands for the rotation of keys. */
export function keysCommand(session: Session): Command {
  return new Command('keys')
    .description('Shows and rotates the keys in PARLANCE_ENCRYPTION_KEY and PARLANCE_SERVICE_SECRET.')
    .addCommand(
      new Command('status')
        .description(
          'Shows how many stored secrets each encryption key has sealed, and whether each service accepts each service secret.\n' +
            'Exits with 1 if a key must not be removed yet, or if a secret of a service is missing.',
        )
        .option('--json', 'print JSON')
        .action(async (options: { json?: boolean }) => {
          const services = await readKeys(session);
          session.print(services, options, toText);
          session.failed = services.some(
            ({ accepts, sealed: [, ...older], unreadable }) =>
              accepts.includes(false) || unreadable > 0 || older.some(({ count }) => count > 0),
          );
        }),
    )
    .addCommand(
      new Command('rotate')
        .description(
          'Seals all stored secrets with the first key of PARLANCE_ENCRYPTION_KEY. The installation stays in use.',
        )
        .option('--json', 'print JSON')
        .action(async (options: { json?: boolean }) => {
          const resealed: Record<string, number> = {};
          for (const name of serviceNames) resealed[name] = await reseal(session, name);
          session.print(resealed, options, (counts) => {
            const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
            return total === 0
              ? 'All secrets were sealed with the current key.'
              : `${total} secrets were sealed again.`;
          });
        }),
    );
}

/** Repeats until a pass finds no secret, because a write in between may store a secret that it read before. */
async function reseal({ system }: Session, name: ServiceName): Promise<number> {
  let total = 0;
  for (;;) {
    const { resealed, more } = await system.backup(name).resealSecrets({}, { ...system.as, timeoutMs: TIMEOUT_MS });
    total += resealed;
    if (!more && resealed === 0) return total;
  }
}

async function readKeys({ system }: Session): Promise<ServiceKeys[]> {
  return Promise.all(
    serviceNames.map(async (service) => {
      const client = system.backup(service);
      const { keys, unreadable } = await client.countSecrets({}, { ...system.as, timeoutMs: TIMEOUT_MS });
      const accepts = await Promise.all(
        system.asEach.map((as) =>
          client.describeStore({}, as).then(
            () => true,
            (error: unknown) => {
              if (isServiceError(error) && error.reason === 'AUTHENTICATION_FAILED') return false;
              throw new Error(`${service}: ${explain(error)}`);
            },
          ),
        ),
      );
      return { service, accepts, sealed: keys, unreadable };
    }),
  );
}

function toText(services: readonly ServiceKeys[]): string {
  const lines = services.map(({ service, accepts, sealed, unreadable }) => {
    const [current, ...older] = sealed;
    const olderCount = older.reduce((sum, { count }) => sum + count, 0);
    return [
      service,
      accepts.map((accepted) => (accepted ? 'yes' : 'no')).join(', '),
      current?.key ?? '-',
      current ? String(current.count) : '-',
      current ? String(olderCount) : '-',
      current ? String(unreadable) : '-',
    ];
  });
  return table(
    ['service', 'accepts secrets', 'encryption key', 'sealed with it', 'with older keys', 'unreadable'],
    lines,
  );
}
