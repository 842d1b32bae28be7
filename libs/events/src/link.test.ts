import type { NatsConnection } from 'nats';
import { Link } from './link';

/** A connection whose status events come from the test. */
class ScriptedConnection {
  private resolveNext: (status: { type: string }) => void = () => undefined;
  private next = this.promise();

  private promise() {
    return new Promise<{ type: string }>((resolve) => (this.resolveNext = resolve));
  }

  async *status() {
    for (;;) {
      const status = await this.next;
      this.next = this.promise();
      yield status;
    }
  }

  emit(type: string): void {
    this.resolveNext({ type });
  }

  readonly isClosed = () => false;
  readonly flush = () => Promise.resolve();
}

describe('the link to a restarted server', () => {
  it('the link to a restarted server is available once the server answers, not when it accepts the connection', async () => {
    const connection = new ScriptedConnection();
    const asking: (() => void)[] = [];
    const asked: Promise<void>[] = [];
    const answers: ((answered: boolean) => void)[] = [];
    for (let i = 0; i < 3; i++) asked.push(new Promise((resolve) => asking.push(resolve)));
    let questions = 0;
    const link = new Link(connection as unknown as NatsConnection, () => {
      asking[questions++]!();
      return new Promise((resolve, reject) =>
        answers.push((answered) => (answered ? resolve(undefined) : reject(new Error('not yet')))),
      );
    });
    const returned = new Promise<void>((resolve) => link.onReturn(resolve));

    connection.emit('disconnect');
    await new Promise(setImmediate);
    expect(link.away).toBe(true);
    connection.emit('reconnect');
    await asked[0];
    answers[0]!(false);
    await asked[1];
    expect(link.away).toBe(true);
    // A second loss: answers to earlier requests prove nothing.
    connection.emit('disconnect');
    await new Promise(setImmediate);
    answers[1]!(true);
    await new Promise(setImmediate);
    expect(link.away).toBe(true);
    connection.emit('reconnect');
    await asked[2];
    answers[2]!(true);
    await returned;
    expect(link.away).toBe(false);
  });
});
