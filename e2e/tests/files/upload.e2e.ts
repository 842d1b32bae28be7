import type { UnitBody } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { poHeader } from '../../support/repository.mjs';
import { importExample, system } from '../../support/system.mjs';
import { makeReading, po, upload } from '../../support/uploads.mjs';

const { api, user } = system();
const { units, texts, newest } = makeReading(api);

describe('uploads of texts', () => {
  const methods = ['translate', 'approve', 'fuzzy', 'suggest'] as const;
  const conflictRules = ['', 'ignore', 'replace-translated', 'replace-approved'] as const;
  const fuzzyRules = ['', 'process', 'approve'] as const;
  const sources = ['empty', 'fuzzy', 'translated', 'approved', 'readonly', 'same', 'marked'];
  const base = po([...sources, 'extra'].map((source) => ({ source, text: '' })));
  let path: string;
  let round = 0;

  beforeAll(async () => {
    const remote = makeRemote({ 'po/example.pot': base, 'po/cs.po': base });
    const example = await importExample(api, remote);
    ({ path } = example);
    await api.patch(`/api/projects/${example.project}/`, { translation_review: true });
    const source: UnitBody[] = await api.all(`/api/translations/${example.project}/example/en/units/`);
    const readonly = source.find((u) => u.source[0] === 'readonly')!;
    await api.patch(`/api/units/${readonly.id}/`, { extra_flags: 'read-only' });
  });

  /** Resets every unit to the state that its name says. */
  async function reset(): Promise<Map<string, UnitBody>> {
    const wanted: Record<string, { target: string[]; state: number }> = {
      empty: { target: [''], state: 0 },
      fuzzy: { target: ['starý'], state: 10 },
      translated: { target: ['starý'], state: 20 },
      approved: { target: ['starý'], state: 30 },
      same: { target: ['stejný'], state: 20 },
      marked: { target: [''], state: 0 },
    };
    for (const unit of await units(path)) {
      const change = wanted[unit.source[0]!];
      if (change) await api.patch(`/api/units/${unit.id}/`, change);
    }
    return new Map((await units(path)).map((u) => [u.source[0]!, u]));
  }

  const rows = methods.flatMap((method) =>
    conflictRules.flatMap((conflicts) => fuzzyRules.map((fuzzy) => [method, conflicts, fuzzy] as const)),
  );
  it.each(rows)('upload with method %s, conflicts "%s", fuzzy "%s"', async (method, conflicts, fuzzy) => {
    const before = await reset();
    const text = `nový ${++round}`;
    const entries: { source: string; text: string; fuzzy?: boolean }[] = [
      ...['empty', 'fuzzy', 'translated', 'approved', 'readonly'].map((source) => ({ source, text })),
      { source: 'same', text: 'stejný' },
      { source: 'marked', text, fuzzy: true },
      { source: 'extra', text: '' },
      { source: 'nowhere', text },
    ];
    const made = { translate: 20, approve: 30, fuzzy: 10, suggest: 20 }[method];
    const replaceable = (state: number) =>
      state < 20 ||
      (state === 20 && conflicts.startsWith('replace')) ||
      (state === 30 && conflicts === 'replace-approved');
    const expected = { accepted: 0, skipped: 0, not_found: 0, total: entries.length };
    const after = new Map<string, [string, number]>();
    for (const { source, text: wanted, fuzzy: marked } of entries) {
      const unit = before.get(source);
      if (unit) after.set(source, [unit.target[0]!, unit.state]);
      if (wanted === '' || (marked && fuzzy === '')) continue;
      const state = marked && fuzzy === 'process' ? 10 : made;
      if (!unit) expected.not_found++;
      else if (method === 'suggest' && unit.state !== 100 && unit.target[0] !== wanted) expected.accepted++;
      else if (method !== 'suggest' && replaceable(unit.state) && (unit.target[0] !== wanted || unit.state !== state)) {
        expected.accepted++;
        after.set(source, [wanted, state]);
      } else expected.skipped++;
    }
    const answer = await upload(api, path, po(entries), { method, conflicts, fuzzy });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { ...expected, result: expected.accepted > 0, count: expected.total },
    });
    const now = await texts(path);
    expect(Object.fromEntries(after)).toEqual(
      Object.fromEntries(Object.entries(now).filter(([source]) => after.has(source))),
    );
    // The history also records that the upload completed the translation.
    const changes = (await newest(path)).filter(({ action }) => action !== 1);
    expect(changes[0]).toMatchObject({ action: 78, details: { ...expected, method } });
    const single = changes.slice(1, 1 + expected.accepted);
    expect(single.map((c) => c.action)).toEqual(single.map(() => (method === 'suggest' ? 4 : 9)));
    expect(single.map((c) => c.target).filter((t) => t !== text && t !== 'stejný')).toEqual([]);
    // The history contains the replaced texts.
    if (method !== 'suggest' && conflicts === 'replace-translated') expect(single.map((c) => c.old)).toContain('starý');
  });

  it('statistics count an upload immediately', async () => {
    await reset();
    const before = await api.get(`${path}/statistics/`);
    await upload(
      api,
      path,
      po([
        { source: 'empty', text: 'ano' },
        { source: 'marked', text: 'ano' },
      ]),
    );
    expect((await api.get(`${path}/statistics/`)).translated).toBe(before.translated + 2);
  });

  it('an upload suggests nothing twice', async () => {
    const file = po([{ source: 'empty', text: 'dvakrát' }]);
    expect((await upload(api, path, file, { method: 'suggest' })).body).toMatchObject({ accepted: 1, skipped: 0 });
    expect((await upload(api, path, file, { method: 'suggest' })).body).toMatchObject({ accepted: 0, skipped: 1 });
  });

  it.each(['po', 'mo', 'xliff', 'xliff11', 'tbx', 'tmx', 'csv', 'xlsx'])(
    'a download made with %s can be uploaded',
    async (format) => {
      await reset();
      const file = await api.send('GET', `${path}/file/?format=${format}`, undefined, { accept: '*/*' });
      const [, filename] = /filename=(\S+)/.exec(file.headers.get('content-disposition')!)!;
      const translated = (await units(path)).find((u) => u.source[0] === 'translated')!;
      await api.patch(`/api/units/${translated.id}/`, { target: ['mezitím jinak'], state: 20 });
      const answer = await upload(
        api,
        path,
        file.bytes,
        { conflicts: 'replace-translated', fuzzy: 'process' },
        filename!,
      );
      expect({ status: answer.status, body: answer.body }).toMatchObject({
        status: 200,
        body: { accepted: expect.any(Number), not_found: 0 },
      });
      expect(answer.body.accepted).toBeGreaterThan(0);
      expect((await texts(path))['translated']).toEqual(['starý', 20]);
    },
  );

  it.each([
    ['cs.csv', 'source,target\nempty,z csv\n'],
    ['cs.json', '{"empty": "z json"}'],
    [
      'cs.xlf',
      '<?xml version="1.0"?><xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="f" source-language="en" target-language="cs" datatype="plaintext"><body><trans-unit id="1"><source>empty</source><target>z xlf</target></trans-unit></body></file></xliff>',
    ],
    ['cs.po', `\ufeff${po([{ source: 'empty', text: 'z po' }])}`],
    ['bez přípony', po([{ source: 'empty', text: 'z přípony' }])],
  ])('uploads accept other formats: %s', async (filename, content) => {
    await reset();
    const answer = await upload(api, path, content, {}, filename);
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 200,
      body: { accepted: 1, skipped: 0, not_found: 0, total: 1 },
    });
    expect((await texts(path))['empty']![0]).toMatch(/^z /);
  });
});

describe('uploads of strings and files', () => {
  it('uploads count for the user with the given mail address', async () => {
    const { path } = await importExample(api, makeRemote());
    await user('Petra');
    const file = `${poHeader('cs')}msgctxt "farewell"\nmsgid "Good bye."\nmsgstr "Sbohem."\n`;
    const fields = { author_email: 'petra@example.com', author_name: 'P. N.' };
    expect((await upload(api, path, file, fields)).body).toMatchObject({ accepted: 1 });
    for (const change of (await newest(path)).filter(({ action }) => action !== 1).slice(0, 2)) {
      expect(change.author).toMatch(/\/api\/users\/Petra\/$/);
      expect(change.user).not.toBe(change.author);
      expect(change.details).not.toHaveProperty('author');
    }
  });

  it('an upload writes the named author to the commit', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote);
    const file = `${poHeader('cs')}msgctxt "farewell"\nmsgid "Good bye."\nmsgstr "Sbohem."\n`;
    const answer = await upload(api, path, file, { author: 'Anna Nová', email: 'anna@example.com' });
    expect(answer.body).toMatchObject({ accepted: 1 });
    // No user has this address, so the history contains the name.
    for (const change of (await newest(path)).filter(({ action }) => action !== 1).slice(0, 2))
      expect(change).toMatchObject({ author: null, details: { author: 'Anna Nová' } });
    const before = remote.remoteFile('po/cs.po').toString();
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(remote.log()[0]!.author).toBe('Anna Nová <anna@example.com>');
    expect(remote.remoteFile('po/cs.po').toString()).toBe(
      before.replace('msgid "Good bye."\nmsgstr ""', 'msgid "Good bye."\nmsgstr "Sbohem."'),
    );
  });

  it('the add method adds missing strings and leaves others unchanged', async () => {
    const remote = makeRemote();
    const { path, project, componentPath } = await importExample(api, remote, { manage_units: true });
    const before = await texts(path);
    const file = po([
      { source: 'Hello, world!', text: 'jinak' },
      { source: 'Brand new', text: 'Zbrusu nové' },
      { source: 'Untranslated', text: '' },
    ]);
    const answer = await upload(api, path, file, { method: 'add' });
    expect(answer.body).toEqual({ accepted: 2, skipped: 1, not_found: 0, total: 3, count: 3, result: true });
    expect(await texts(path)).toEqual({ ...before, 'Brand new': ['Zbrusu nové', 20], Untranslated: ['', 0] });
    expect(Object.keys(await texts(`/api/translations/${project}/example/en`))).toContain('Brand new');
    expect(Object.keys(await texts(`/api/translations/${project}/example/de`))).not.toContain('Brand new');
    expect((await newest(path)).slice(0, 3).map((c) => c.action)).toEqual([78, 31, 31]);
    const old = remote.remoteFile('po/cs.po').toString();
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    const [head, obsolete] = [old.slice(0, old.indexOf('#~')), old.slice(old.indexOf('#~'))];
    expect(remote.remoteFile('po/cs.po').toString()).toBe(
      `${head}msgid "Brand new"\nmsgstr "Zbrusu nové"\n\nmsgid "Untranslated"\nmsgstr ""\n\n${obsolete}`,
    );
  });

  it('the replace method replaces the whole file and keeps its previous contents in the history', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote);
    const waiting = (await units(path)).find((u) => u.source[0] === 'Good bye.')!;
    await api.patch(`/api/units/${waiting.id}/`, { target: ['Čeká na zápis.'], state: 20 });
    const file = po([
      { source: 'Hello, world!', text: 'Celé znovu' },
      { source: 'Only here', text: 'Jen tady' },
    ]);
    const answer = await upload(api, path, file, {
      method: 'replace',
      author_name: 'Bob',
      author_email: 'bob@example.com',
    });
    expect(answer.body).toEqual({ accepted: 2, skipped: 0, not_found: 0, total: 2, count: 2, result: true });
    expect(await texts(path)).toEqual({ 'Hello, world!': ['Celé znovu', 20], 'Only here': ['Jen tady', 20] });
    const changes = await newest(path);
    expect(changes.slice(0, 2).map((c) => c.action)).toEqual([78, 54]);
    expect(changes.find((c) => c.action === 72)).toMatchObject({ target: 'Celé znovu', old: 'Ahoj, světe!' });
    expect(changes.find((c) => c.action === 73)).toMatchObject({ target: 'Jen tady' });
    expect(changes.filter((c) => c.action === 63).map((c) => c.target)).toContain('Čeká na zápis.');
    expect(await api.get(`${path}/statistics/`)).toMatchObject({ total: 2, translated: 2 });
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    const log = remote.log();
    expect(log[0]!.author).toBe('Bob <bob@example.com>');
    // The pending edit has its own commit before the replacement.
    expect(log).toHaveLength(3);
    expect(remote.remoteFile('po/cs.po').toString()).toBe(file);
    expect((await api.bytes(`${path}/file/`)).toString()).toBe(file);
  });

  it('an uploaded source file updates the strings of all translations', async () => {
    const remote = makeRemote();
    const { path, project, componentPath } = await importExample(api, remote);
    const english = `/api/translations/${project}/example/en`;
    const template = po(
      [
        { source: 'Hello, world!', text: '' },
        { source: 'Fresh', text: '' },
      ],
      poHeader(''),
    );
    const answer = await upload(api, english, template, { method: 'source' }, 'example.pot');
    expect(answer.body).toEqual({ accepted: 2, skipped: 0, not_found: 0, total: 2, count: 2, result: true });
    expect(await texts(path)).toEqual({ 'Hello, world!': ['Ahoj, světe!', 20], Fresh: ['', 0] });
    expect(await texts(`/api/translations/${project}/example/de`)).toEqual({
      'Hello, world!': ['Hallo, Welt!', 20],
      Fresh: ['', 0],
    });
    expect(Object.keys(await texts(english))).toEqual(['Hello, world!', 'Fresh']);
    const removed = (await newest(path)).filter((c) => c.action === 63).map((c) => c.target);
    expect(removed).toContain('%d soubor\u001e\u001e%d soubory\u001e\u001e%d souborů');
    expect((await newest(english)).slice(0, 2).map((c) => c.action)).toEqual([78, 74]);
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(remote.log()).toHaveLength(2);
    expect(remote.remoteFile('po/example.pot').toString()).toBe(template);
    expect(remote.remoteFile('po/cs.po').toString()).toContain('#~ msgid "Old text"');
  });
});

it('empty form fields count as absent', async () => {
  const { path } = await importExample(api, makeRemote());
  const empty = { method: '', conflicts: '', fuzzy: '', author_name: '', author_email: '', author: '', email: '' };
  const answer = await upload(api, path, po([{ source: 'Hello, world!', text: 'Ahoj!' }]), empty);
  expect(answer).toMatchObject({ status: 200, body: { skipped: 1, total: 1 } });
});

describe('a file that is the body itself', () => {
  let path: string;
  beforeAll(async () => void ({ path } = await importExample(api, makeRemote())));
  const sent = (content: string, headers: Record<string, string>, method = 'POST') =>
    api.send(method, `${path}/file/`, Buffer.from(content), headers);

  it.each([
    ['text/x-po', 'attachment; filename="cs.po"', 'POST'],
    ['application/octet-stream', "attachment; filename*=UTF-8''%C4%8De%C5%A1tina.po", 'PUT'],
    ['text/x-gettext-translation; charset=utf-8', 'inline; filename=cs.po', 'POST'],
  ])('a file sent as request body is accepted as %s', async (type, disposition, method) => {
    const text = `Ahoj ${type}`;
    const content = po([{ source: 'Hello, world!', text }]);
    await api.patch(`/api/units/${(await units(path))[0]!.id}/`, { target: [''], state: 0 });
    const answer = await sent(content, { 'content-type': type, 'content-disposition': disposition }, method);
    expect(answer).toMatchObject({ status: 200, body: { accepted: 1, total: 1 } });
    expect((await texts(path))['Hello, world!']).toEqual([text, 20]);
  });

  it('a file sent as request body is named by its header and parsed accordingly', async () => {
    const csv = 'source,target\nHello, x\n';
    const named = (name: string) => ({
      'content-type': 'text/plain',
      'content-disposition': `attachment; filename="${name}"`,
    });
    expect(await sent(csv, named('x.csv'))).toMatchObject({ status: 200 });
    const wrong = await sent(csv, named('cs.po'));
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ attr: 'file' }] } });
    expect(wrong.body.errors[0].detail).toContain('line 1, column 1');
    expect(await sent(csv, { 'content-type': 'text/plain' })).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'parse_error' }] },
    });
  });
});

it('a suggestion with enough votes becomes the translation', async () => {
  const remote = makeRemote();
  const settings = { suggestion_voting: true, suggestion_autoaccept: 2 };
  const { project, path } = await importExample(api, remote, settings);
  const [first, second] = await Promise.all(['one', 'two'].map((n) => user(`voter-${n}-${project}`)));
  const unit = (await api.get(`${path}/units/?q=${encodeURIComponent('source:="Good bye."')}`)).results[0];
  const now = () => api.get(`/api/units/${unit.id}/`);
  const file = `${poHeader('cs')}msgctxt "farewell"\nmsgid "Good bye."\nmsgstr "Sbohem."\n`;
  const suggest = async (as: typeof api) => (await upload(as, path, file, { method: 'suggest' })).body;

  // Voters cannot edit the string directly.
  expect((await first!.send('PATCH', `/api/units/${unit.id}/`, { target: ['Sbohem.'], state: 20 })).status).toBe(403);
  expect(await suggest(first!)).toMatchObject({ accepted: 1, skipped: 0 });
  expect(await suggest(first!)).toMatchObject({ accepted: 0, skipped: 1 });
  expect(await now()).toMatchObject({ target: [''], has_suggestion: true });
  expect(await suggest(second!)).toMatchObject({ accepted: 1, skipped: 0 });
  expect(await now()).toMatchObject({ target: ['Sbohem.'], state: 20, has_suggestion: false, pending: true });
  expect((await api.get(`${path}/statistics/`)).suggestions).toBe(0);
  const [change] = (await api.get(`${path}/changes/?action=7`)).results;
  expect(change).toMatchObject({
    target: 'Sbohem.',
    unit: expect.stringContaining(`/api/units/${unit.id}/`),
    author: expect.stringContaining('voter-one'),
    user: expect.stringContaining('voter-two'),
  });
  await api.post(`/api/components/${project}/example/repository/`, { operation: 'commit' });
  await api.post(`/api/components/${project}/example/repository/`, { operation: 'push' });
  expect(remote.log()[0]!.author).toContain('voter-one');
  expect(await suggest(second!)).toMatchObject({ accepted: 0, skipped: 1 });
});
