import { move, transferableSymbol, valueSymbol } from 'piscina';

/** The result of a task whose buffers move to the main thread instead of being copied. */
export function transferResult<T extends object>(value: T, buffers: readonly Uint8Array[]): T {
  const transferable = {
    [transferableSymbol]: buffers.map(({ buffer }) => buffer),
    [valueSymbol]: value,
  };
  // piscina wraps the value; its types know neither the symbols nor that callers receive the value itself.
  return move(transferable as never) as never;
}
