import type { IncomingMessage } from 'node:http';
import type { Site } from '../responses/site';

/** Cookies of this site. */
export type CookieName = 'session' | 'sign-in';

/** A cookie to set; an empty value deletes it. */
export interface SetCookie {
  name: CookieName;
  value: string;
  /** Milliseconds. */
  maxAge: number;
}

/** Whether browsers reach the site by https, according to its address. */
export const isSecure = ({ base }: Site): boolean => base.startsWith('https:');

/**
 * Browsers accept a `__Host-` cookie only over https, without a domain and for all paths, so no other host or path can set one. Over
 * plain http they reject it, so the name is without the prefix there.
 */
export const cookieName = (site: Site, name: CookieName): string =>
  isSecure(site) ? `__Host-parlance-${name}` : `parlance-${name}`;

const valuePattern = /^[A-Za-z0-9_-]{43}$/;

/** The secret in a cookie; '' if it is absent or malformed. */
export function cookieOf({ headers }: IncomingMessage, site: Site, name: CookieName): string {
  const start = `${cookieName(site, name)}=`;
  for (const pair of (headers.cookie ?? '').split(';')) {
    const text = pair.trim();
    if (!text.startsWith(start)) continue;
    const value = text.slice(start.length);
    return valuePattern.test(value) ? value : '';
  }
  return '';
}

export const deletedCookie = (name: CookieName): SetCookie => ({ name, value: '', maxAge: 0 });
