import { EngineError } from '../../domain/machinery/engine';
import { base, field, list, strings } from './responses';

describe('responses of engines', () => {
  it('a field is undefined when it or its object is missing', () => {
    expect(field({ text: 'a' }, 'text')).toBe('a');
    expect(field({}, 'text')).toBeUndefined();
    for (const value of [null, undefined, 'text', 5]) expect(field(value, 'length')).toBeUndefined();
  });

  it.each([undefined, null, {}, 'ab', { length: 0 }])('%j instead of a list is an error', (value) => {
    expect(() => list(value)).toThrow(EngineError);
  });

  it('a list that contains other values than texts is an error', () => {
    expect(strings(list(['a', '']))).toEqual(['a', '']);
    expect(() => strings(['a', null])).toThrow(EngineError);
    expect(() => strings([5])).toThrow(EngineError);
  });

  it('an address ends with one slash', () => {
    expect(base('https://example.com/v2')).toBe('https://example.com/v2/');
    expect(base('https://example.com/v2/')).toBe('https://example.com/v2/');
  });
});
