import type { CallContext } from '@parlance/grpc-kit';
import { SERVICE_KEY, type SearchCaller } from '../app/search/search-budget';

/** The caller whose search budget a call uses. The signal is created on first use. */
export function searchCallerOf(context: CallContext): SearchCaller {
  const { caller, clientAddress } = context;
  return {
    key: caller.service
      ? `${SERVICE_KEY}${caller.service}`
      : caller.anonymous
        ? `address:${clientAddress}`
        : `user:${caller.userId}`,
    get signal() {
      return context.signal;
    },
  };
}
