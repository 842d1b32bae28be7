import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { fixBind } from './bind-fix';

const storage = new AsyncLocalStorage<string>();

/** What callers of `bind` rely on, of a function that was bound within a context. */
function observe() {
  const seen: unknown[] = [];
  const listener = function (this: unknown, first: number, second: number): string {
    seen.push(this, storage.getStore(), first, second);
    return 'returned';
  };
  const { bound, fixed } = storage.run('context', () => {
    const resource = new AsyncResource('test');
    // Node takes a second argument, which its types omit.
    const bind: (fn: typeof listener, thisArg?: unknown) => typeof listener = resource.bind.bind(resource);
    return { bound: bind(listener), fixed: bind(listener, 'given') };
  });
  const results = [bound.call('own', 1, 2), fixed.call('ignored', 3, 4)];
  return { seen, results, lengths: [bound.length, fixed.length] };
}

describe('fixBind', () => {
  const { bind } = AsyncResource.prototype;
  afterEach(() => {
    AsyncResource.prototype.bind = bind;
  });

  it('fixBind keeps the context, arguments, `this`, result and length of bound functions', () => {
    const before = observe();
    fixBind();
    expect(observe()).toEqual(before);
  });

  it('fixBind binds functions without the deprecated property that makes binding expensive', () => {
    fixBind();
    expect('asyncResource' in new AsyncResource('test').bind(() => undefined)).toBe(false);
  });

  it('fixBind keeps a runtime whose bind has no such property as it is', () => {
    fixBind();
    const lean = AsyncResource.prototype.bind;
    fixBind();
    expect(AsyncResource.prototype.bind).toBe(lean);
  });
});
