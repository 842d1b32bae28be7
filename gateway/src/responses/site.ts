import type { Request } from 'express';

/** The site of a request. */
export interface Site {
  title: string;
  /** Scheme and host of absolute addresses, and the path of the site behind a reverse proxy; without a trailing slash. */
  base: string;
  /** The path in `base`: '' at the root of the host. */
  root: string;
  /** Name of the OpenID Connect provider for the sign-in. */
  providerName?: string | undefined;
}

/** Scheme, host and port of the site, as browsers send them in `Origin`. */
export const originOf = ({ base }: Pick<Site, 'base'>): string => new URL(base).origin;

/** Absolute addresses follow PARLANCE_PUBLIC_URL or, without it, the host of each request. */
export function makeSiteOf(config: {
  PARLANCE_PUBLIC_URL?: string | undefined;
  PARLANCE_SITE_TITLE: string;
  PARLANCE_OIDC_NAME?: string | undefined;
}): (request: Request) => Site {
  const { PARLANCE_PUBLIC_URL: base, PARLANCE_SITE_TITLE: title, PARLANCE_OIDC_NAME: providerName } = config;
  if (base !== undefined) {
    const site = { title, providerName, base, root: new URL(base).pathname.replace(/\/$/, '') };
    return () => site;
  }
  return ({ protocol, headers }) => ({
    title,
    providerName,
    base: `${protocol}://${headers.host ?? 'localhost'}`,
    root: '',
  });
}
