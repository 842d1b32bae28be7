import { Links, timestamp } from '../responses/links';
import { noCounters, percent, presentStatistics } from './statistics/present';
import type { Caller } from '@parlance/access';
import type { ComponentView } from '../directory/component-view';
import { checksum, TranslationParents } from './translations/present';

describe('percent', () => {
  it.each([
    [0, 0, 0, 0],
    [0, 0, 100, 100],
    [0, 10, 100, 0],
    [1, 100_000, 0, 0.1],
    [99_999, 100_000, 0, 99.9],
    [100_000, 100_000, 0, 100],
    [1, 3, 0, 33.3],
    [2, 3, 0, 66.6],
  ])('percent shows %p of %p (empty: %p) as %p', (part, total, whenEmpty, expected) => {
    expect(percent(part, total, whenEmpty)).toBe(expected);
  });
});

describe('statistics', () => {
  it('statistics contain the documented keys and those of existing clients', () => {
    const data = presentStatistics(
      { ...noCounters, all: { strings: 4, words: 8, chars: 20 }, readonly: { strings: 1, words: 2, chars: 5 } },
      { name: 'Czech', code: 'cs', url: 'u', translateUrl: 't' },
    );
    expect(data).toMatchObject({
      total: 4,
      readonly: 1,
      readonly_chars_percent: 25,
      readonly_char_percent: 25,
      url_translate: 't',
      translate_url: 't',
      code: 'cs',
      last_author: null,
      last_change: null,
    });
  });

  it('statistics of an empty object are complete: approved with reviews, translated without', () => {
    expect(presentStatistics(noCounters, { review: true })).toMatchObject({
      approved_percent: 100,
      translated_percent: 0,
    });
    expect(presentStatistics(noCounters, { review: false })).toMatchObject({
      approved_percent: 0,
      translated_percent: 100,
    });
  });
});

describe('addresses', () => {
  it('addresses encode category slashes twice', () => {
    expect(new Links('http://h').component('p', 'cat/sub/app')).toBe('http://h/api/components/p/cat%252Fsub%252Fapp/');
  });

  it('times are in UTC with microseconds, and ids have 16 digits', () => {
    expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe('2026-01-02T03:04:05.006000Z');
    expect(timestamp(0)).toBeNull();
    expect(checksum('-1')).toBe('ffffffffffffffff');
    expect(checksum('255')).toBe('00000000000000ff');
  });
});

describe('components of translations', () => {
  const view = {
    component: { name: 'App', slug: 'app', path: 'app', repo: 'https://example.com/a.git', addonIds: [] },
    project: { id: 1, slug: 'p', languageAliases: {} },
    sourceLanguage: { code: 'en', aliases: [] },
  } as unknown as ComponentView;
  const reader: Caller = {
    userId: 1,
    username: 'r',
    fullName: '',
    email: '',
    isSuperuser: false,
    isBot: false,
    anonymous: false,
    grants: [],
  };
  const presented = (caller: Caller, host = 'http://h') =>
    new TranslationParents(new Links(host), caller).component(view) as { repo: string | null; url: string };

  it('responses share a component, but not with callers who may see more of it', () => {
    const manager = { ...reader, userId: 2, isSuperuser: true };
    expect(presented(reader).repo).toBeNull();
    expect(presented(manager).repo).toBe('https://example.com/a.git');
    expect(presented({ ...reader, userId: 3 })).toBe(presented(reader));
  });

  it('each host gets its own addresses, also after many hosts', () => {
    for (let n = 0; n < 30; n++)
      expect(presented(reader, `http://h${n}`).url).toBe(`http://h${n}/api/components/p/app/`);
    expect(presented(reader, 'http://h0').url).toBe('http://h0/api/components/p/app/');
  });
});
