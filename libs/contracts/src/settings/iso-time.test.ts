import { isoTime } from './iso-time';

it('isoTime parses dates and times, without a zone as UTC', () => {
  expect(isoTime('2026-02-28')).toBe(Date.UTC(2026, 1, 28));
  expect(isoTime('2028-02-29T10:20')).toBe(Date.UTC(2028, 1, 29, 10, 20));
  expect(isoTime('2026-11-30 10:20:30.5')).toBe(Date.UTC(2026, 10, 30, 10, 20, 30, 500));
  expect(isoTime('2026-11-30T10:20:30+02:00')).toBe(Date.UTC(2026, 10, 30, 8, 20, 30));
  expect(isoTime('0099-12-31')).toBe(new Date('0099-12-31T00:00:00Z').getTime());
});

it.each([
  '',
  'today',
  '2026',
  '2026-02-29',
  '2026-02-30T00:00:00Z',
  '2026-11-31',
  '2026-13-01',
  '2026-00-10',
  '2026-10-00',
  '2026-10-10T25:00',
  '2026-10-10T10:61:00Z',
  '2026-10-10Tten',
])('isoTime rejects %p', (text) => {
  expect(isoTime(text)).toBeNaN();
});
