import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { makeReading, po, upload } from '../../support/uploads.mjs';
import { zip } from '../../support/zip.mjs';

const { api } = system();
const { units, newest } = makeReading(api);
type Api = typeof api;

describe('rejected uploads change nothing', () => {
  let path: string;
  let english: string;
  let componentPath: string;
  let name: string;
  beforeAll(async () => {
    const example = await importExample(api, makeRemote());
    ({ path, componentPath, project: name } = example);
    english = `/api/translations/${example.project}/example/en`;
  });
  const good = po([{ source: 'Hello, world!', text: 'jinak' }]);
  const bomb = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(200)]);

  const xliff = (declarations: string, text: string) =>
    Buffer.from(
      `<?xml version="1.0"?>\n<!DOCTYPE xliff [${declarations}]>\n<xliff version="1.2"><file source-language="en" target-language="cs" original="x" datatype="plaintext"><body><trans-unit id="a"><source>Hello, world!</source><target>${text}</target></trans-unit></body></file></xliff>`,
    );
  const tenfold = (piece: (i: number) => string) => Array.from({ length: 20 }, (_, i) => piece(i)).join('\n');
  const laughs = `<!ENTITY l0 "lol">${tenfold((i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)}`;
  const aliases = `a0: &a0 lol\n${tenfold((i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`)}\n`;
  const workbook = (sheet: string) =>
    zip(
      {
        '[Content_Types].xml': '<Types/>',
        'xl/workbook.xml': '<workbook/>',
        'xl/worksheets/sheet1.xml': sheet,
      },
      { packed: true },
    );

  it('errors of uploads name the line, column and string', async () => {
    const nul = await upload(api, path, '{"Hello, world!":"x\\u0000y"}', {}, 'x.json');
    expect(nul.body.errors[0].detail).toBe('line 1, column 2, string "Hello, world!": NUL characters are not allowed.');
    const answer = await upload(api, path, xliff('<!ENTITY u SYSTEM "x">', '&u;'), {}, 'x.xlf');
    expect(answer.body.errors[0].detail).toMatch(/line 3, column \d+/);
  });

  async function refused(
    send: () => ReturnType<typeof upload>,
    status: number,
    attr: string | null,
    where = path,
  ): Promise<void> {
    const before = [await units(where), await newest(where)];
    const answer = await send();
    expect({ status: answer.status, attr: answer.body.errors?.[0]?.attr }).toEqual({ status, attr });
    expect([await units(where), await newest(where)]).toEqual(before);
  }

  it.each([
    ['an unknown method', good, { method: 'overwrite' }, 'method'],
    ['a name of an Object property', good, { method: 'constructor' }, 'method'],
    ['an unknown conflict rule', good, { conflicts: 'all' }, 'conflicts'],
    ['an unknown rule for fuzzy strings', good, { fuzzy: 'yes' }, 'fuzzy'],
    ['approving without the review workflow', good, { method: 'approve' }, 'method'],
    ['replacing approved strings without the review workflow', good, { conflicts: 'replace-approved' }, 'conflicts'],
    ['adding strings where strings are not managed', good, { method: 'add' }, 'method'],
    ['a source file for a translation', good, { method: 'source' }, 'method'],
    ['an invalid mail address', good, { author_email: 'a@b> <c@d' }, 'author_email'],
    ['a name with a line feed', good, { author_name: 'A\nB' }, 'author_name'],
    ['a syntax error', 'msgid "unfinished', {}, 'file'],
    ['a syntax error after good strings', `${good}\nmsgid "unfinished`, { conflicts: 'replace-translated' }, 'file'],
    ['a syntax error instead of a file', 'msgid "unfinished', { method: 'replace' }, 'file'],
    [
      'bytes outside of the charset',
      Buffer.concat([Buffer.from(good), Buffer.from('\nmsgid "x"\nmsgstr "\xff"\n', 'latin1')]),
      {},
      'file',
    ],
    ['an unknown charset', good.replace('charset=UTF-8', 'charset=klingon-8'), {}, 'file'],
    [
      'plural forms of another language',
      good.replace(/Plural-Forms: [^\\]*/, 'Plural-Forms: nplurals=2; plural=n != 1;'),
      {},
      'file',
    ],
    ['an empty file', '', {}, 'file'],
  ])('an upload is rejected: %s', async (_name, content, fields, attr) => {
    await refused(() => upload(api, path, content, fields), 400, attr);
  });

  it.each([
    ['a program', 'x.exe', Buffer.from('MZ\x90\0')],
    ['a truncated archive', 'x.xlsx', bomb],
    ['JSON with unlimited nesting', 'x.json', Buffer.from('[{"a":'.repeat(100_000))],
    ['truncated XML', 'x.xlf', Buffer.from('<xliff version="1.2"><file><body><trans-unit')],
    ['a picture', 'x.png', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['UTF-16 without a byte order mark', 'cs.po', Buffer.from(good, 'utf16le')],
    ['half of a UTF-16 code unit', 'cs.po', Buffer.from(`\ufeff${good}`, 'utf16le').subarray(0, 101)],
    ['exponential entities', 'x.xlf', xliff(laughs, '&l20;')],
    ['entities that contain strings', 'x.xlf', xliff('<!ENTITY u "<source>Hello, world!</source>">', '&u;')],
    ['external entities', 'x.xlf', xliff('<!ENTITY u SYSTEM "file:///etc/passwd">', '&u;')],
    [
      'a workbook that expands to a large size',
      'x.xlsx',
      workbook(`<worksheet>${' '.repeat(100 * 1024 * 1024)}</worksheet>`),
    ],
    ['exponential aliases', 'x.yml', Buffer.from(aliases)],
    ['a NUL in a text', 'x.json', Buffer.from('{"Hello, world!":"x\\u0000y"}')],
    ['an unpaired surrogate in a text', 'x.json', Buffer.from('{"Hello, world!":"\\ud800x"}')],
    ['a control character that is not in the source', 'x.json', Buffer.from('{"Hello, world!":"x\\u0001y"}')],
    ['a text that is too long', 'x.json', Buffer.from(JSON.stringify({ 'Hello, world!': 'x'.repeat(1_000_001) }))],
  ])('an uploaded file is rejected: %s', async (_name, filename, content) => {
    await refused(() => upload(api, path, content, {}, filename), 400, 'file');
  });

  it('uploads to source strings that files define are rejected', async () => {
    await refused(() => upload(api, english, good), 400, 'method', english);
  });

  it('an upload without a file or with another content type is rejected', async () => {
    await refused(() => api.send('POST', `${path}/file/`, new FormData()), 400, 'file');
    await refused(() => api.send('POST', `${path}/file/`, { method: 'translate' }), 400, 'file');
  });

  it('an upload requires the permission of its method', async () => {
    const member = await system().user(`uploader-${name}`);
    await refused(() => upload(member, path, good, { method: 'replace' }), 403, null);
    await refused(() => upload(member, english, good, { method: 'source' }), 403, null, english);
    await refused(() => upload({ ...api, send: makeAnonymous() }, path, good), 401, null);
  });

  it('an upload to a locked component is rejected', async () => {
    await api.post(`${componentPath}/lock/`, { lock: true });
    for (const method of ['translate', 'suggest', 'replace'])
      await refused(() => upload(api, path, good, { method, conflicts: 'replace-translated' }), 403, null);
    await api.post(`${componentPath}/lock/`, { lock: false });
    const answer = await upload(api, path, good, { conflicts: 'replace-translated' });
    expect(answer.body).toMatchObject({ accepted: 1 });
  });

  function makeAnonymous(): Api['send'] {
    return (method, target, body) => api.send(method, target, body, { authorization: '' });
  }
});
