import { decodeEvent, encodeEvent, newEvent, secondsSinceWrite, subjectOf } from './event';

describe('an event', () => {
  it('an event survives encoding and decoding', () => {
    const event = newEvent(
      'catalog',
      'componentCreated',
      { componentId: 17, projectId: 3, taskId: 't', userId: 2 },
      17,
    );
    const back = decodeEvent(encodeEvent(event));
    expect(back).toMatchObject({ id: event.id, source: 'catalog', key: '17', payloadName: 'componentCreated' });
    expect(back.payload).toEqual({ componentId: 17, projectId: 3, taskId: 't', userId: 2 });
  });

  it('an event that reports an earlier write keeps the time of the write, and others have none', () => {
    const event = newEvent('translation', 'translationDeleted', { translationId: 1 }, 1);
    expect(decodeEvent(encodeEvent({ ...event, writtenMs: 1_700_000_000_123 }))).toMatchObject({
      timeMs: event.timeMs,
      writtenMs: 1_700_000_000_123,
    });
    expect(decodeEvent(encodeEvent(event))).not.toHaveProperty('writtenMs');
    expect(secondsSinceWrite({ timeMs: Date.now(), writtenMs: Date.now() - 90_000 })).toBeCloseTo(90, 0);
    expect(secondsSinceWrite({ timeMs: Date.now() - 30_000 })).toBeCloseTo(30, 0);
  });

  it('an event has a subject of characters that NATS allows', () => {
    expect(subjectOf('componentCreated', '17')).toBe('parlance.events.component_created.17');
    expect(subjectOf('componentCreated')).toBe('parlance.events.component_created.>');
    expect(subjectOf('userDeleted', 'a.b *>')).toBe('parlance.events.user_deleted.a_b___');
  });

  it('an event is rejected when it violates the contract', () => {
    const event = newEvent('catalog', 'componentCreated', { componentId: 1 }, 1);
    expect(() => encodeEvent({ ...event, payload: { componentId: 'x' } })).toThrow('does not fit its contract');
    expect(() => decodeEvent(new Uint8Array())).toThrow('without a known payload');
  });
});
