import { isIP } from 'node:net';

/**
 * `local-part` of RFC 5322: atoms separated by dots, or a quoted string. Comments and escapes are not supported. Angle brackets are not
 * allowed, because they delimit addresses in commits.
 */
const MAILBOX = /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"[ !#-;=?-[\]-~]*")$/;
/** Host names in any script; without a dot, only localhost. Linear time. */
const HOST = /^(?:localhost|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63})$/iu;
/** Octets of a local part (RFC 5321 section 4.5.3.1.1), and characters of an address. */
const MAX_MAILBOX = 64;
const MAX_LENGTH = 190;

/** Whether a string is a single email address of a common form. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 0 || at > MAX_MAILBOX || text.length > MAX_LENGTH) return false;
  const host = text.slice(at + 1);
  const literal = /^\[(?:IPv6:)?(.+)\]$/i.exec(host)?.[1];
  return MAILBOX.test(text.slice(0, at)) && (literal === undefined ? HOST.test(host) : isIP(literal) !== 0);
}
