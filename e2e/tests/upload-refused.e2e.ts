import { makeRemote } from '../support/remotes.mjs';
import { importExample, system } from '../support/system.mjs';
import { makeReading, po, upload } from '../support/uploads.mjs';
import { zip } from '../support/zip.mjs';

const { api } = system();
const { units, newest } = makeReading(api);
type Api = typeof api;

describe('uploads that are refused change nothing', () => {
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

  it('say where the mistake is', async () => {
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
    ['a method that is none', good, { method: 'overwrite' }, 'method'],
    ['a name of every object', good, { method: 'constructor' }, 'method'],
    ['a rule for conflicts that is none', good, { conflicts: 'all' }, 'conflicts'],
    ['a rule for fuzzy strings that is none', good, { fuzzy: 'yes' }, 'fuzzy'],
    ['approving without the review workflow', good, { method: 'approve' }, 'method'],
    ['replacing approved strings without the review workflow', good, { conflicts: 'replace-approved' }, 'conflicts'],
    ['adding where strings are not managed', good, { method: 'add' }, 'method'],
    ['a source file for a translation', good, { method: 'source' }, 'method'],
    ['an address that is none', good, { author_email: 'a@b> <c@d' }, 'author_email'],
    ['a name with a line feed', good, { author_name: 'A\nB' }, 'author_name'],
    ['a syntax error', 'msgid "unfinished', {}, 'file'],
    ['a syntax error after good strings', `${good}\nmsgid "unfinished`, { conflicts: 'replace-translated' }, 'file'],
    ['a syntax error in place of the whole file', 'msgid "unfinished', { method: 'replace' }, 'file'],
    [
      'bytes that are not of the charset',
      Buffer.concat([Buffer.from(good), Buffer.from('\nmsgid "x"\nmsgstr "\xff"\n', 'latin1')]),
      {},
      'file',
    ],
    ['a charset that nobody knows', good.replace('charset=UTF-8', 'charset=klingon-8'), {}, 'file'],
    [
      'plural forms of another language',
      good.replace(/Plural-Forms: [^\\]*/, 'Plural-Forms: nplurals=2; plural=n != 1;'),
      {},
      'file',
    ],
    ['an empty file', '', {}, 'file'],
  ])('%s', async (_name, content, fields, attr) => {
    await refused(() => upload(api, path, content, fields), 400, attr);
  });

  it.each([
    ['a program', 'x.exe', Buffer.from('MZ\x90\0')],
    ['an archive that is cut off', 'x.xlsx', bomb],
    ['JSON that is nested without end', 'x.json', Buffer.from('[{"a":'.repeat(100_000))],
    ['XML that is cut off', 'x.xlf', Buffer.from('<xliff version="1.2"><file><body><trans-unit')],
    ['a picture', 'x.png', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['UTF-16 that does not say so', 'cs.po', Buffer.from(good, 'utf16le')],
    ['half of UTF-16', 'cs.po', Buffer.from(`\ufeff${good}`, 'utf16le').subarray(0, 101)],
    ['entities that grow', 'x.xlf', xliff(laughs, '&l20;')],
    ['entities that hide strings', 'x.xlf', xliff('<!ENTITY u "<source>Hello, world!</source>">', '&u;')],
    ['entities of other files', 'x.xlf', xliff('<!ENTITY u SYSTEM "file:///etc/passwd">', '&u;')],
    [
      'a workbook that unpacks to a great deal',
      'x.xlsx',
      workbook(`<worksheet>${' '.repeat(100 * 1024 * 1024)}</worksheet>`),
    ],
    ['aliases that grow', 'x.yml', Buffer.from(aliases)],
    ['a NUL in a text', 'x.json', Buffer.from('{"Hello, world!":"x\\u0000y"}')],
    ['half a character in a text', 'x.json', Buffer.from('{"Hello, world!":"\\ud800x"}')],
    ['a control character that the source has not', 'x.json', Buffer.from('{"Hello, world!":"x\\u0001y"}')],
    ['a text that is too long', 'x.json', Buffer.from(JSON.stringify({ 'Hello, world!': 'x'.repeat(1_000_001) }))],
  ])('%s', async (_name, filename, content) => {
    await refused(() => upload(api, path, content, {}, filename), 400, 'file');
  });

  it('texts for source strings that come from files', async () => {
    await refused(() => upload(api, english, good), 400, 'method', english);
  });

  it('no file, and a body that is no form', async () => {
    await refused(() => api.send('POST', `${path}/file/`, new FormData()), 400, 'file');
    await refused(() => api.send('POST', `${path}/file/`, { method: 'translate' }), 400, 'file');
  });

  it('callers without the permission of the method', async () => {
    const member = await system().user(`uploader-${name}`);
    await refused(() => upload(member, path, good, { method: 'replace' }), 403, null);
    await refused(() => upload(member, english, good, { method: 'source' }), 403, null, english);
    await refused(() => upload({ ...api, send: makeAnonymous() }, path, good), 401, null);
  });

  it('a locked component', async () => {
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
