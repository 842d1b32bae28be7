/** Value of Cache-Control for responses that only their caller may keep, and no cache. */
export const PRIVATE = 'private, no-store';
