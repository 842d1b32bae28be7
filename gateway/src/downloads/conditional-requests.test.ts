import { isKnown } from './conditional-requests';

const changed = Date.parse('2026-05-04T10:20:30.700Z');

describe('isKnown', () => {
  it.each([
    [{ 'if-none-match': '"a"' }],
    [{ 'if-none-match': '"b", W/"a"' }],
    [{ 'if-none-match': '*' }],
    [{ 'if-modified-since': 'Mon, 04 May 2026 10:20:30 GMT' }],
    [{ 'if-modified-since': 'Tue, 05 May 2026 10:20:30 GMT' }],
    [{ 'if-none-match': '"a"', 'if-modified-since': 'Mon, 04 May 2026 10:20:29 GMT' }],
  ])('a conditional request with %j gets 304', (headers) => {
    expect(isKnown(headers, '"a"', changed)).toBe(true);
  });

  it.each([
    [{}],
    [{ 'if-none-match': '"b"' }],
    [{ 'if-modified-since': 'Mon, 04 May 2026 10:20:29 GMT' }],
    [{ 'if-modified-since': 'yesterday' }],
    [{ 'if-none-match': '"b"', 'if-modified-since': 'Tue, 05 May 2026 10:20:30 GMT' }],
  ])('a conditional request with %j gets the response', (headers) => {
    expect(isKnown(headers, '"a"', changed)).toBe(false);
  });

  it('If-Modified-Since is ignored if the time of the last change is unknown', () => {
    expect(isKnown({ 'if-modified-since': 'Tue, 05 May 2026 10:20:30 GMT' }, '"a"')).toBe(false);
  });
});
