import { fieldErrors } from '@parlance/errors';
import { isIPv4 } from 'node:net';

/** Whether an entry of PARLANCE_ALLOWED_HOSTS can be one: `*`, a host name or address, or `.example.org` for everything below it. */
export const isHostEntry = (entry: string): boolean =>
  entry === '*' || /^\.?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/i.test(entry) || /^\[[0-9a-f:.]+\]$/i.test(entry);

/** Names of this machine itself, which no name server gives to somebody else. */
function isLoopback(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    (isIPv4(name) && name.startsWith('127.')) ||
    /^\[::ffff:(127\.|7f)/.test(name)
  );
}

/** The name in a Host header, in lower case and without the port; undefined: the header is damaged. */
function nameOf(host: string): string | undefined {
  const [, name] = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(host) ?? [];
  return name?.toLowerCase().replace(/(.)\.$/, '$1');
}

/**
 * Under which hosts the API may be addressed: addresses in answers, feeds and caches in between follow the Host header, which clients
 * choose.
 */
export class AllowedHosts {
  private readonly names: readonly string[];
  private readonly any: boolean;

  /** @param publicUrl whose host is allowed, too */
  constructor(entries: readonly string[], publicUrl?: string) {
    const publicName = publicUrl === undefined ? undefined : nameOf(new URL(publicUrl).host);
    this.names = [...entries.map((entry) => entry.toLowerCase()), ...(publicName === undefined ? [] : [publicName])];
    this.any = entries.includes('*');
  }

  /** @param host the Host header; clients of HTTP/1.0 send none @throws INVALID on Host */
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
        detail: `"${host.slice(0, 100)}" is not a host of this site. Its operator adds it to PARLANCE_ALLOWED_HOSTS.`,
      },
    ]);
  }
}
