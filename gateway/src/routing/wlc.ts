import type { Call } from './call';

/** Whether the client is `wlc`, which expects a bare array in one response. No other response depends on the client. */
export const isWlc = ({ userAgent }: Pick<Call, 'userAgent'>): boolean => userAgent.startsWith('wlc');
