/** Work on one thing at a time: who comes while somebody is at it waits for their turn. Things do not wait for each other. */
export class KeyedMutex<Key> {
  private readonly last = new Map<Key, Promise<unknown>>();

  /** Does the work when what came before for the same key is done, whether or not that went well. */
  take<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const before = this.last.get(key);
    const mine = before ? before.then(work, work) : work();
    this.last.set(key, mine);
    const over = () => {
      if (this.last.get(key) === mine) this.last.delete(key);
    };
    mine.then(over, over);
    return mine;
  }
}
