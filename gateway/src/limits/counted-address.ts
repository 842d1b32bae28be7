import { isIPv6 } from 'node:net';

/**
 * The rate limit key of anonymous requests: an IPv4 address, or the /64 network of an IPv6 address. A /64 is the smallest
 * network that a customer gets (RFC 6177), and addresses within it are free.
 */
export function countedAddress(address: string): string {
  const plain = address.split('%', 1)[0]!;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped) return mapped[1]!;
  if (!isIPv6(plain)) return plain;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  // A trailing IPv4 address stands for two groups.
  const tailGroups = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0);
  const gap = after === undefined ? 0 : Math.max(0, 8 - head.length - tailGroups);
  const groups = [...head, ...Array<string>(gap).fill('0'), ...tail].slice(0, 4);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
