import { jsonMarkup } from './json-markup';

const base = 'https://parlance.example';
const marked = (value: unknown, indent = 2) => jsonMarkup(JSON.stringify(value, null, indent), base);

/** Text of markup as a browser shows it. */
const shown = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('the markup of JSON', () => {
  it.each([
    [{ a: 1, b: [-1.5e7, true, false, null, 'x'], c: {}, d: [] }],
    [{ 'a"b\\': 'one: "two", \\ three\n\u2028 {4}' }],
    ['"</script><script>alert(1)</script>'],
    [{ '<b>': '\'&amp;<i>"' }],
    [[1, 'true', 'null', '7', '']],
    [null],
    [{ results: [{ url: `${base}/api/`, q: 'a & b' }] }],
  ])('the markup of %j shows the same text', (value) => {
    expect(shown(marked(value))).toBe(JSON.stringify(value, null, 2));
    expect(shown(marked(value, 0))).toBe(JSON.stringify(value));
  });

  it('keys and values of each type have their own class', () => {
    expect(marked({ a: 'b', c: 1, d: null }, 0)).toBe(
      '{<span class="key">&quot;a&quot;</span>:<span class="string">&quot;b&quot;</span>,' +
        '<span class="key">&quot;c&quot;</span>:<span class="number-value">1</span>,' +
        '<span class="key">&quot;d&quot;</span>:<span class="word">null</span>}',
    );
  });

  it('addresses of the site are links, and links to other sites send no referrer', () => {
    expect(marked(`${base}/api/units/1/?a=1&b=2`)).toContain(`<a href="${base}/api/units/1/?a=1&amp;b=2">`);
    for (const other of ['http://other.example/', `${base}.evil.example/`])
      expect(marked(other)).toContain(`<a href="${other}" rel="nofollow noopener noreferrer ugc">`);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    ' https://example.com/',
    'https://example.com/ x',
    'https://example.com/"onclick="alert(1)',
    'https://example.com/<b>',
    '//example.com/',
    'ftp://example.com/',
  ])('%j is no link', (text) => {
    expect(marked(text)).not.toContain('<a ');
  });

  it('a long text is escaped without markup', () => {
    const html = marked('<b>'.repeat(200_000));
    expect(html).not.toContain('<');
    expect(shown(html)).toHaveLength(600_002);
  });
});
