import { AsyncResource } from 'node:async_hooks';

/**
 * Makes `AsyncResource.prototype.bind` cheap. Node adds the deprecated property `asyncResource` (DEP0172) to every bound function, whose
 * accessors get prototypes of their own. HTTP/2 binds a function for each request, so a busy client spent a third of its processor time
 * on these objects and on full garbage collections, because V8 keeps their hidden classes in the old generation.
 */
export function fixBind(): void {
  if (!('asyncResource' in new AsyncResource('probe').bind(() => undefined))) return;
  AsyncResource.prototype.bind = function bind<F extends (...args: never[]) => unknown>(
    this: AsyncResource,
    fn: F,
    thisArg?: unknown,
  ): F {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the bound function has a `this` of its own
    const resource = this;
    const bound = function (this: unknown, ...args: Parameters<F>): unknown {
      return resource.runInAsyncScope<unknown, unknown[]>(fn as never, thisArg === undefined ? this : thisArg, ...args);
    };
    return Object.defineProperty(bound, 'length', { value: fn.length }) as unknown as F;
  };
}
