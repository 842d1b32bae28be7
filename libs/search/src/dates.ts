/** A moment or a span of time: milliseconds since 1970 UTC, `from` inclusive, `before` exclusive. */
export interface DateSpan {
  from: number;
  before: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ');
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

const COUNTS: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 };

const utc = (year: number, month = 0, day = 1): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.getTime();
};

const startOfDay = (time: number): number => Math.floor(time / DAY) * DAY;
const wholeDay = (from: number): DateSpan => ({ from, before: from + DAY });

function calendarDay(year: number, month: number, day: number): DateSpan | undefined {
  const from = utc(year, month, day);
  const date = new Date(from);
  return date.getUTCMonth() === month && date.getUTCDate() === day ? wholeDay(from) : undefined;
}

function iso(text: string): DateSpan | undefined {
  const match =
    /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?\s?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i.exec(
      text,
    );
  if (!match) return undefined;
  const [, yearText, monthText, dayText, hourText, minuteText, secondText, fraction, zone] = match;
  const year = Number(yearText);
  if (year < 1) return undefined;
  if (monthText === undefined) return { from: utc(year), before: utc(year + 1) };
  const month = Number(monthText) - 1;
  if (month < 0 || month > 11) return undefined;
  if (dayText === undefined) return { from: utc(year, month), before: utc(year, month + 1) };
  const day = calendarDay(year, month, Number(dayText));
  if (!day || hourText === undefined) return day;
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  let offset = 0;
  if (zone && zone.toUpperCase() !== 'Z') {
    const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
    if (hours > 14 || minutes > 59) return undefined;
    offset = (zone[0] === '-' ? -1 : 1) * (hours * HOUR + minutes * MINUTE);
  }
  const milliseconds = Math.floor(Number(`0.${fraction ?? 0}`) * SECOND);
  const from = day.from + hour * HOUR + minute * MINUTE + second * SECOND + milliseconds - offset;
  const precision = fraction !== undefined ? 1 : secondText !== undefined ? SECOND : MINUTE;
  return { from, before: from + precision };
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

/** The moment `count` units before `now`; months and years keep the day where the month is long enough. */
function before(now: number, count: number, unit: Unit): number {
  if (unit === 'month' || unit === 'year') {
    const date = new Date(now);
    const months = date.getUTCFullYear() * 12 + date.getUTCMonth() - count * (unit === 'year' ? 12 : 1);
    const [year, month] = [Math.floor(months / 12), ((months % 12) + 12) % 12];
    const lastDay = new Date(utc(year, month + 1, 0)).getUTCDate();
    return utc(year, month, Math.min(date.getUTCDate(), lastDay)) + (now - startOfDay(now));
  }
  return now - count * { second: SECOND, minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY }[unit];
}

/** The calendar unit that `time` lies in; weeks begin on Monday. */
function whole(time: number, unit: Unit): DateSpan {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'year':
      return { from: utc(year), before: utc(year + 1) };
    case 'month':
      return { from: utc(year, month), before: utc(year, month + 1) };
    case 'week': {
      const from = startOfDay(time) - ((date.getUTCDay() + 6) % 7) * DAY;
      return { from, before: from + 7 * DAY };
    }
    case 'day':
      return wholeDay(startOfDay(time));
    default: {
      const size = { second: SECOND, minute: MINUTE, hour: HOUR }[unit];
      const from = Math.floor(time / size) * size;
      return { from, before: from + size };
    }
  }
}

function monthOf(name: string): number {
  const full = MONTH_NAMES.indexOf(name);
  if (full >= 0) return full;
  return MONTHS.indexOf(name === 'sept' ? 'sep' : name);
}

function english(text: string, now: number): DateSpan | undefined {
  const words = text.toLowerCase().replace(/,/g, ' ').split(/\s+/);
  const today = startOfDay(now);
  const phrase = words.join(' ');
  if (phrase === 'now') return whole(now, 'second');
  if (phrase === 'today') return wholeDay(today);
  if (phrase === 'yesterday') return wholeDay(today - DAY);
  if (phrase === 'tomorrow') return wholeDay(today + DAY);

  const ago = /^(\d{1,5}|[a-z]+) (second|minute|hour|day|week|month|year)s? ago$/.exec(phrase);
  if (ago) {
    const count = /^\d/.test(ago[1]!) ? Number(ago[1]) : COUNTS[ago[1]!];
    if (count === undefined) return undefined;
    const unit = ago[2] as Unit;
    const time = before(now, count, unit);
    return ['second', 'minute', 'hour'].includes(unit) ? whole(time, 'second') : wholeDay(startOfDay(time));
  }
  const relative = /^(this|last) (day|week|month|year)$/.exec(phrase);
  if (relative) {
    const unit = relative[2] as Unit;
    const current = whole(now, unit);
    return relative[1] === 'this' ? current : whole(current.from - 1, unit);
  }
  const weekday = /^(?:(?:last|on) )?([a-z]+)$/.exec(phrase);
  const dayIndex = weekday ? WEEKDAYS.findIndex((name) => name === weekday[1] || name.slice(0, 3) === weekday[1]) : -1;
  if (dayIndex >= 0) {
    const back = (new Date(now).getUTCDay() - dayIndex + 7) % 7 || 7;
    return wholeDay(today - back * DAY);
  }
  // "21 November 2026", "Nov 21 2026", "November 2026", "November"
  const named = words.find((word) => monthOf(word) >= 0);
  if (named === undefined || words.length > 3) return undefined;
  const month = monthOf(named);
  const numbers = words.toSpliced(words.indexOf(named), 1);
  const year = numbers.find((word) => /^\d{4}$/.test(word));
  const day = numbers.find((word) => /^\d{1,2}(st|nd|rd|th)?$/.test(word));
  if (numbers.length !== Number(year !== undefined) + Number(day !== undefined)) return undefined;
  let inYear = year === undefined ? new Date(now).getUTCFullYear() : Number(year);
  if (year === undefined && utc(inYear, month, day === undefined ? 1 : parseInt(day, 10)) > now) inYear--;
  if (day !== undefined) return calendarDay(inYear, month, parseInt(day, 10));
  return { from: utc(inYear, month), before: utc(inYear, month + 1) };
}

/**
 * Reads a date: `2026`, `2026-11`, `2026-11-21`, ISO date and time (UTC unless it names a zone), or English such as
 * `yesterday`, `3 weeks ago`, `last month`, `monday`, `21 November 2026`. Names without a year lie in the past.
 *
 * @param now milliseconds since 1970
 * @returns the time that the text covers, undefined when it is no date
 */
export function parseDate(text: string, now: number): DateSpan | undefined {
  const trimmed = text.trim();
  if (trimmed.length > 60) return undefined;
  return iso(trimmed) ?? english(trimmed, now);
}
