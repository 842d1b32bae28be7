import type { NatsConnection } from 'nats';
import { Link } from './link';

/** A connection that tells what the test says. */
class Told {
  private tell: (status: { type: string }) => void = () => undefined;
  private next = this.promise();

  private promise() {
    return new Promise<{ type: string }>((resolve) => (this.tell = resolve));
  }

  async *status() {
    for (;;) {
      const status = await this.next;
      this.next = this.promise();
      yield status;
    }
  }

  say(type: string): void {
    this.tell({ type });
  }

  readonly isClosed = () => false;
  readonly flush = () => Promise.resolve();
}

describe('the link to a server that was started anew', () => {
  it('is there when the server answers, not when it takes the connection', async () => {
    const connection = new Told();
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

    connection.say('disconnect');
    await new Promise(setImmediate);
    expect(link.away).toBe(true);
    connection.say('reconnect');
    await asked[0];
    answers[0]!(false);
    await asked[1];
    expect(link.away).toBe(true);
    // Lost once more: what was asked before says nothing.
    connection.say('disconnect');
    await new Promise(setImmediate);
    answers[1]!(true);
    await new Promise(setImmediate);
    expect(link.away).toBe(true);
    connection.say('reconnect');
    await asked[2];
    answers[2]!(true);
    await returned;
    expect(link.away).toBe(false);
  });
});
