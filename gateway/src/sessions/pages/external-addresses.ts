import type { Call } from '../../routing/call';

/** Where the provider sends browsers back to. */
export const redirectUri = ({ site }: Call): string => `${site.base}/accounts/external/callback/`;

/** In place of the path in the state of a provider: the browser links an account. No path, so no sign-in has it. */
export const LINKING = 'link';
