import { AsyncLocalStorage } from 'node:async_hooks';

/** Properties of the current request. Every log line contains them. */
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
