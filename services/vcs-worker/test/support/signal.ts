/** A promise that a test resolves. */
export function signal(): { promise: Promise<void>; done: () => void } {
  let done = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done };
}
