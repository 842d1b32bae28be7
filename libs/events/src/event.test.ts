import { decodeEvent, encodeEvent, newEvent, subjectOf } from './event';

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
