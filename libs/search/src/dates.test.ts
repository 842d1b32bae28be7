import { parseDate } from './dates';

// A Saturday.
const NOW = Date.UTC(2026, 10, 21, 12, 30, 45);
const read = (text: string): string | undefined => {
  const span = parseDate(text, NOW);
  return (
    span &&
    [span.from, span.before].map((time) => new Date(time).toISOString().replace(/(T00:00:00)?\.000Z$/, '')).join(' ')
  );
};

test.each([
  ['2026', '2026-01-01 2027-01-01'],
  ['2026-11', '2026-11-01 2026-12-01'],
  ['2026-12', '2026-12-01 2027-01-01'],
  ['2026-11-21', '2026-11-21 2026-11-22'],
  ['2024-02-29', '2024-02-29 2024-03-01'],
  ['2026-11-21T10:00', '2026-11-21T10:00:00 2026-11-21T10:01:00'],
  ['2026-11-21 10:00:05', '2026-11-21T10:00:05 2026-11-21T10:00:06'],
  ['2026-11-21T10:00:05Z', '2026-11-21T10:00:05 2026-11-21T10:00:06'],
  ['2026-11-21T10:00:05+02:00', '2026-11-21T08:00:05 2026-11-21T08:00:06'],
  ['2026-11-21T23:30:00-0130', '2026-11-22T01:00:00 2026-11-22T01:00:01'],
  ['today', '2026-11-21 2026-11-22'],
  ['Yesterday', '2026-11-20 2026-11-21'],
  ['now', '2026-11-21T12:30:45 2026-11-21T12:30:46'],
  ['1 day ago', '2026-11-20 2026-11-21'],
  ['a week ago', '2026-11-14 2026-11-15'],
  ['three weeks ago', '2026-10-31 2026-11-01'],
  ['2 hours ago', '2026-11-21T10:30:45 2026-11-21T10:30:46'],
  ['9 months ago', '2026-02-21 2026-02-22'],
  ['11 months ago', '2025-12-21 2025-12-22'],
  ['1 year ago', '2025-11-21 2025-11-22'],
  ['this week', '2026-11-16 2026-11-23'],
  ['last week', '2026-11-09 2026-11-16'],
  ['last month', '2026-10-01 2026-11-01'],
  ['last year', '2025-01-01 2026-01-01'],
  ['monday', '2026-11-16 2026-11-17'],
  ['last saturday', '2026-11-14 2026-11-15'],
  ['21 November 2026', '2026-11-21 2026-11-22'],
  ['Nov 3rd, 2025', '2025-11-03 2025-11-04'],
  ['november 2025', '2025-11-01 2025-12-01'],
  ['december', '2025-12-01 2026-01-01'],
])('the date text %s covers its span', (text, span) => expect(read(text)).toBe(span));

test('a month back from its last day stays within the shorter month', () => {
  const span = parseDate('1 month ago', Date.UTC(2026, 2, 31, 8))!;
  expect(new Date(span.from).toISOString()).toBe('2026-02-28T00:00:00.000Z');
});

test.each([
  '',
  '26',
  '0000',
  '2026-13',
  '2026-02-30',
  '2026-11-21T25:00',
  '2026-11-21T10:61',
  '2026-1-',
  'soon',
  'many days ago',
  '5 fortnights ago',
  '31 february 2026',
  'november november',
  '2026-11-21T10:00+99:00',
  'x'.repeat(100),
])('the text %j is not a date', (text) => expect(read(text)).toBeUndefined());
