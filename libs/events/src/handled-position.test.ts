import { HandledPosition } from './handled-position';

const at = (delivery: number, stream = delivery + 100) => ({ delivery, stream });

/** A position that the server confirmed up to delivery 3. */
function start() {
  const position = new HandledPosition();
  position.confirm({ floor: at(3), delivered: 3 });
  return position;
}

describe('HandledPosition', () => {
  it('is unknown until the server has told a position', () => {
    const position = new HandledPosition();
    position.settled(at(1));
    position.settled(at(2));
    expect(position.sequence).toBe(0);
    position.confirm({ floor: { delivery: 0, stream: 0 }, delivered: 2 });
    expect(position.sequence).toBe(102);
  });

  it('advances with deliveries that follow each other, in any order', () => {
    const position = start();
    position.settled(at(5));
    expect(position.sequence).toBe(103);
    position.settled(at(4));
    expect(position.sequence).toBe(105);
  });

  it('stays before an event that another replica handles until the server confirms it', () => {
    const position = start();
    position.settled(at(5));
    position.settled(at(6));
    position.confirm({ floor: at(3), delivered: 6 });
    expect(position.sequence).toBe(103);
    position.confirm({ floor: at(4), delivered: 6 });
    expect(position.sequence).toBe(106);
  });

  it('stays before an event that failed until it has been handled', () => {
    const position = start();
    position.failed(at(4));
    position.settled(at(5));
    expect(position.sequence).toBe(103);
    position.failed({ delivery: 6, stream: 104 });
    position.settled({ delivery: 7, stream: 104 });
    expect(position.sequence).toBe(105);
    position.settled(at(8));
    expect(position.sequence).toBe(108);
  });

  it('does not go back to an older position of the server', () => {
    const position = start();
    position.settled(at(4));
    position.confirm({ floor: at(2), delivered: 4 });
    expect(position.sequence).toBe(104);
  });

  it('follows a consumer that was created again', () => {
    const position = start();
    position.settled(at(7));
    position.confirm({ floor: at(1, 110), delivered: 2 });
    expect(position.sequence).toBe(110);
    position.settled(at(2, 111));
    expect(position.sequence).toBe(111);
  });
});
