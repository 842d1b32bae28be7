import { isIPv6 } from 'node:net';

/**
 * What anonymous requests are counted by: an IPv4 address, or the /64 network of an IPv6 address, which is the least that one
 * customer is given (RFC 6177) and within which addresses cost nothing.
 */
export function countedAddress(address: string): string {
  const plain = address.split('%', 1)[0]!;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped) return mapped[1]!;
  if (!isIPv6(plain)) return plain;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  // An IPv4 address at the end stands for two groups.
  const tailGroups = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0);
  const gap = after === undefined ? 0 : Math.max(0, 8 - head.length - tailGroups);
  const groups = [...head, ...Array<string>(gap).fill('0'), ...tail].slice(0, 4);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
