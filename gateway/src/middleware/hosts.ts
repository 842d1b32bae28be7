import { fieldErrors } from '@parlance/errors';
import { isIPv4 } from 'node:net';

/** Whether an entry of PARLANCE_ALLOWED_HOSTS is valid: `*`, a host name or address, or `.example.org` for all subdomains. */
export const isHostEntry = (entry: string): boolean =>
  entry === '*' || /^\.?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(entry) || /^\[[0-9a-f:.]+\]$/i.test(entry);

/** Names that always resolve to this machine. */
function isLoopback(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    (isIPv4(name) && name.startsWith('127.')) ||
    /^\[::ffff:(127\.|7f)/.test(name)
  );
}

/** The name in a Host header in lower case, without the port; undefined if the header is malformed. */
function nameOf(host: string): string | undefined {
  const [, name] = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(host) ?? [];
  return name?.toLowerCase().replace(/(.)\.$/, '$1');
}

/** Validates the Host header. Addresses in responses, feeds and shared caches follow this header, which clients choose. */
export class AllowedHosts {
  private readonly names: readonly string[];
  private readonly any: boolean;

  /** @param publicUrl its host is accepted, too */
  constructor(entries: readonly string[], publicUrl?: string) {
    const publicName = publicUrl === undefined ? undefined : nameOf(new URL(publicUrl).host);
    this.names = [...entries.map((entry) => entry.toLowerCase()), ...(publicName === undefined ? [] : [publicName])];
    this.any = entries.includes('*');
  }

  /** @param host the Host header; HTTP/1.0 clients may omit it @throws INVALID on Host */
  check(host: string | undefined): void {
    if (host === undefined) return;
    const name = nameOf(host);
    const known =
      name !== undefined &&
      (this.any ||
        isLoopback(name) ||
        this.names.some((entry) => entry === name || (entry.startsWith('.') && name.endsWith(entry))));
    if (known) return;
    throw fieldErrors([
      {
        attr: 'Host',
        code: 'invalid',
        detail: `"${host.slice(0, 100)}" is not a host of this site. Its operator can add it to PARLANCE_ALLOWED_HOSTS.`,
      },
    ]);
  }
}
