import { AsyncLocalStorage } from 'node:async_hooks';

/** What belongs to the request that is being worked on; every log line carries it. */
export interface RequestContext {
  /** Id of the public request, passed from process to process. */
  requestId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();

export function withContext<T>(context: RequestContext, run: () => T): T {
  return storage.run(context, run);
}

export function currentContext(): RequestContext | undefined {
  return storage.getStore();
}
