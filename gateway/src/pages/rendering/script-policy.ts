const directives = (extra: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...extra,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join(';');

/** Policy of pages with a script of this site that sends no requests. All other pages allow only the script of all pages. */
export const scriptPolicy = directives(["img-src 'self'"]);

/** Policy of the documentation, whose viewer requests endpoints of this site and has icons in its stylesheet. */
export const viewerPolicy = directives(["img-src 'self' data:", "connect-src 'self'"]);
