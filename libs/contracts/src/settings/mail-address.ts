import { isIP } from 'node:net';

/**
 * `local-part` of RFC 5322: atoms between dots, or a text between quotes; without comments and escapes, and without the angle
 * brackets that end an address in commits.
 */
const MAILBOX = /^(?:[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*|"[ !#-;=?-[\]-~]*")$/;
/** Names of hosts, in letters of any script; one without a dot is this host's own. Linear in the length of the text. */
const HOST = /^(?:localhost|(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63})$/iu;
/** Octets of a mailbox (RFC 5321 section 4.5.3.1.1), and characters of a whole address. */
const MAX_MAILBOX = 64;
const MAX_LENGTH = 190;

/** Whether a text is one mail address of a common form. */
export function isMailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 0 || at > MAX_MAILBOX || text.length > MAX_LENGTH) return false;
  const host = text.slice(at + 1);
  const literal = /^\[(?:IPv6:)?(.+)\]$/i.exec(host)?.[1];
  return MAILBOX.test(text.slice(0, at)) && (literal === undefined ? HOST.test(host) : isIP(literal) !== 0);
}
