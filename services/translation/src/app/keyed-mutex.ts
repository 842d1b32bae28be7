/** Per-key mutex; runs tasks of a key in call order. */
export class KeyedMutex<Key> {
  private readonly last = new Map<Key, Promise<unknown>>();

  /** Runs a task after the earlier tasks of the key have settled. */
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
