type Method = (...args: unknown[]) => unknown;

/** The used part of a mongoose connection. */
interface CollectionSource {
  collection: (name: string, options?: object) => object;
}

/**
 * Replaces methods of every collection that a connection creates, for models and direct use, once per collection. Call it before
 * models are created.
 */
export function wrapMethods<C extends object>(
  connection: C,
  names: readonly string[],
  wrap: (method: Method, name: string) => Method,
): C {
  const wrapped = new WeakSet<object>();
  const own = connection as C & CollectionSource;
  const collection = own.collection.bind(own);
  own.collection = (name, options) => {
    const made = collection(name, options);
    if (wrapped.has(made)) return made;
    wrapped.add(made);
    const methods = made as Record<string, Method>;
    for (const method of names) if (methods[method]) methods[method] = wrap(methods[method], method);
    return made;
  };
  return connection;
}
