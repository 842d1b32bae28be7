import type { UnitBody } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api } = system();

const unitsOf = async (path: string): Promise<UnitBody[]> => api.all(`${path}/units/`);
const find = (units: readonly UnitBody[], text: string) =>
  units.find((u) => u.context === text || u.source[0] === text)!;
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const xliff = (target: string, texts: readonly [string, string][]) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2"   version="1.2">\n <file original="app" source-language="en" target-language="${target}" datatype="plaintext"><body>\n${texts
    .map(
      ([source, text], i) =>
        `  <trans-unit id="t${i}"  resname='${source.toLowerCase()}'>\n\t<source>${source}</source>${text && `<target>${text}</target>`}\n  </trans-unit>\n`,
    )
    .join('')} </body></file>\n</xliff>\n`;

interface Sample {
  format: string;
  filemask: string;
  template?: string;
  newBase?: string;
  base: string | Buffer;
  czech: string | Buffer;
  /** Path of the Czech file. */
  file: string;
  /** Context or source of the edited string, its new texts, and the changed bytes. */
  edit: string;
  target: string[];
  from: string | Buffer;
  to: string | Buffer;
}

const samples: Sample[] = [
  {
    format: 'json-nested',
    filemask: 'l/*.json',
    template: 'l/en.json',
    base: '{\n  "menu": {\n    "open": "Open",\n    "close": "Close"\n  },\n  "bye": "Good bye"\n}\n',
    file: 'l/cs.json',
    czech: '{\n   "menu": { "open":"Otev\\u0159\\u00edt",\n      "close" : "Zavřít" } ,\n\n   "bye": "Sbohem"}',
    edit: 'menu.close',
    target: ['Skončit "teď"'],
    from: '"Zavřít"',
    to: '"Skončit \\"teď\\""',
  },
  {
    format: 'aresource',
    filemask: 'res/values-*/strings.xml',
    template: 'res/values/strings.xml',
    base: '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n    <string name="open">Open</string>\n    <!-- Ends it. -->\n    <string name="close">Close</string>\n    <plurals name="files">\n        <item quantity="one">%d file</item>\n        <item quantity="other">%d files</item>\n    </plurals>\n</resources>\n',
    file: 'res/values-cs/strings.xml',
    czech:
      '<?xml version="1.0" encoding="utf-8"?>\n<resources xmlns:tools="http://schemas.android.com/tools">\n  <string  name="open">Otevřít</string>\n  <string name="close" tools:ignore="X">Zavřít</string>\n  <plurals name="files">\n    <item quantity="one">%d soubor</item>\n    <item quantity="few">%d soubory</item>\n    <item quantity="other">%d souborů</item>\n  </plurals>\n</resources>',
    edit: 'close',
    target: ["Kon'c & víc"],
    from: '>Zavřít<',
    to: ">Kon\\'c &amp; víc<",
  },
  {
    format: 'strings',
    filemask: '*.lproj/App.strings',
    template: 'en.lproj/App.strings',
    base: utf16('/* First */\n"open" = "Open";\n"close" = "Close";\n'),
    file: 'cs.lproj/App.strings',
    czech: utf16('/* První */\n"open"   = "Otevřít";\r\n"close" = "Zavřít" ;\n'),
    edit: 'close',
    target: ['Konec'],
    from: Buffer.from('"Zavřít"', 'utf16le'),
    to: Buffer.from('"Konec"', 'utf16le'),
  },
  {
    format: 'properties',
    filemask: 'p/app_*.properties',
    template: 'p/app.properties',
    base: '# Texts\nopen=Open\nclose=Close\n',
    file: 'p/app_cs.properties',
    czech: '# Texty\nopen = Otev\\u0159\\u00edt\nclose:Zav\\u0159\\\n   \\u00edt\n',
    edit: 'close',
    target: ['Ukončit'],
    from: 'Zav\\u0159\\\n   \\u00edt',
    to: 'Ukon\\u010dit',
  },
  {
    format: 'i18nextv4',
    filemask: 'i/*.json',
    template: 'i/en.json',
    base: '{\n    "open": "Open",\n    "file_one": "{{count}} file",\n    "file_other": "{{count}} files"\n}\n',
    file: 'i/cs.json',
    czech:
      '{\n\t"open": "Otevřít",\n\t"file_one": "{{count}} soubor",\n\t"file_few": "{{count}} soubory",\n\t"file_other": "{{count}} souborů"\n}\n',
    edit: 'file',
    target: ['{{count}} soubor', '{{count}} spisy', '{{count}} souborů'],
    from: '{{count}} soubory',
    to: '{{count}} spisy',
  },
  {
    format: 'yaml',
    filemask: 'y/*.yml',
    template: 'y/en.yml',
    base: 'menu:\n  open: Open\n  close: Close\nbye: Good bye\n',
    file: 'y/cs.yml',
    czech: '# Texty\nmenu:\n    open: "Otevřít"   # uvozovky\n    close: \'Zavřít\'\nbye: Sbohem\n',
    edit: 'menu->close',
    target: ['Konec: hned'],
    from: "'Zavřít'",
    to: "'Konec: hned'",
  },
  {
    format: 'xliff',
    filemask: 'x/*.xlf',
    newBase: 'base/app.xlf',
    base: xliff('en', [
      ['Open', ''],
      ['Close', ''],
    ]),
    file: 'x/cs.xlf',
    czech: xliff('cs', [
      ['Open', 'Otevřít'],
      ['Close', 'Zavřít'],
    ]),
    edit: 'Close',
    target: ['Konec & víc'],
    from: '<target>Zavřít<',
    to: '<target>Konec &amp; víc<',
  },
  {
    format: 'csv',
    filemask: 'c/*.csv',
    newBase: 'base/app.csv',
    base: 'source;target;context\nOpen;;\nClose;;\n',
    file: 'c/cs.csv',
    czech: 'source;target;context\r\n"Open";"Otevřít";\r\nClose;Zavřít;\r\n',
    edit: 'Close',
    target: ['Konec; hned'],
    from: ';Zavřít;',
    to: ';"Konec; hned";',
  },
];

const bytes = (content: string | Buffer) => (Buffer.isBuffer(content) ? content : Buffer.from(content));
function spliced({ czech, from, to }: Sample): Buffer {
  const [content, old] = [bytes(czech), bytes(from)];
  const at = content.indexOf(old);
  return Buffer.concat([content.subarray(0, at), bytes(to), content.subarray(at + old.length)]);
}

function imported(sample: Sample) {
  const remote = makeRemote({ [sample.template ?? sample.newBase!]: sample.base, [sample.file]: sample.czech });
  return importExample(api, remote, {
    filemask: sample.filemask,
    template: sample.template ?? '',
    new_base: sample.newBase ?? '',
    file_format: sample.format,
    manage_units: true,
  }).then((example) => ({ remote, ...example }));
}

describe.each(samples)('$format', (sample) => {
  it('an edit changes exactly the bytes of its string, and new languages are created', async () => {
    const { remote, path, project, componentPath } = await imported(sample);
    const units = await unitsOf(path);
    expect(units.find((u) => u.state !== 20)).toBeUndefined();
    const unit = find(units, sample.edit);
    expect(unit.source).not.toEqual(unit.target);
    await api.patch(`/api/units/${unit.id}/`, { target: sample.target, state: 20 });
    expect((await api.bytes(`${path}/file/`)).equals(spliced(sample))).toBe(true);
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(remote.remoteFile(sample.file).toString('latin1')).toBe(spliced(sample).toString('latin1'));
    const base = sample.template ?? sample.newBase!;
    expect(remote.remoteFile(base).equals(bytes(sample.base))).toBe(true);
    const download = sample.template ? 'monolingual_base' : 'new_template';
    expect((await api.bytes(`${componentPath}/${download}/`)).equals(bytes(sample.base))).toBe(true);
    // A rescan of the written file changes nothing.
    await api.post(`${componentPath}/repository/`, { operation: 'file-scan' });
    expect((await unitsOf(path)).map((u) => [u.target, u.state])).toEqual(
      units.map((u) => [u.id === unit.id ? sample.target : u.target, u.state]),
    );

    const added = await api.post(`${componentPath}/translations/`, { language_code: 'de' });
    expect(added.data.language_code).toMatch(/^de/);
    const german = `/api/translations/${project}/example/de`;
    const blank = await unitsOf(german);
    expect(blank.map((u) => [u.context, u.source, u.state])).toEqual(units.map((u) => [u.context, u.source, 0]));
    const texts = sample.target.slice(0, 2);
    await api.patch(`/api/units/${find(blank, sample.edit).id}/`, { target: texts, state: 20 });
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    await api.post(`${componentPath}/repository/`, { operation: 'file-scan' });
    expect(find(await unitsOf(german), sample.edit)).toMatchObject({ target: texts, state: 20 });
    expect(remote.remoteFile(base).equals(bytes(sample.base))).toBe(true);
  });
});

describe('the keys of a monolingual component', () => {
  const sample = samples[0]!;

  it('keys of the base file are added and removed in all languages', async () => {
    const { remote, path, project, componentPath } = await imported(sample);
    await api.post(`${componentPath}/translations/`, { language_code: 'de' });
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    remote.pull();
    remote.write({
      'l/en.json': '{\n  "menu": {\n    "first": "First",\n    "open": "Open it"\n  },\n  "bye": "Good bye"\n}\n',
    });
    remote.commit('Other keys');
    remote.push();
    expect(await api.post(`${componentPath}/repository/`, { operation: 'pull' })).toMatchObject({ result: true });
    const czech = await unitsOf(path);
    expect(czech.map((u) => [u.context, u.source[0], u.target[0], u.state])).toEqual(
      expect.arrayContaining([
        ['menu.first', 'First', '', 0],
        ['menu.open', 'Open it', 'Otevřít', 10],
        ['bye', 'Good bye', 'Sbohem', 20],
      ]),
    );
    expect(czech).toHaveLength(3);
    expect(find(czech, 'menu.open').previous_source).toBe('Open');
    expect((await unitsOf(`/api/translations/${project}/example/de`)).map((u) => u.context).sort()).toEqual(
      czech.map((u) => u.context).sort(),
    );
    const removed = (await api.get(`${path}/changes/?action=63`)).results;
    expect(removed.map((c: { target: string }) => c.target)).toEqual(['Zavřít']);
    // The format has no "needs editing" state; a rescan keeps the stored one.
    await api.post(`${componentPath}/repository/`, { operation: 'file-scan' });
    expect(find(await unitsOf(path), 'menu.open').state).toBe(10);
  });

  it('keys are added and removed through the API', async () => {
    const { remote, path, project, componentPath } = await imported(sample);
    const english = `/api/translations/${project}/example/en`;
    await api.post(`${english}/units/`, { key: 'menu.print', value: ['Print'] });
    expect(find(await unitsOf(path), 'menu.print')).toMatchObject({ source: ['Print'], target: [''], state: 0 });
    const close = find(await unitsOf(english), 'menu.close');
    await api.delete(`/api/units/${close.id}/`);
    expect((await unitsOf(path)).map((u) => u.context)).not.toContain('menu.close');
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(JSON.parse(remote.remoteFile('l/en.json').toString())).toEqual({
      menu: { open: 'Open', print: 'Print' },
      bye: 'Good bye',
    });
    expect(JSON.parse(remote.remoteFile('l/cs.json').toString())).toEqual({ menu: { open: 'Otevřít' }, bye: 'Sbohem' });
  });

  it('a changed source text reaches its translations and can be reverted', async () => {
    const { remote, path, project, componentPath } = await imported(sample);
    const english = `/api/translations/${project}/example/en`;
    const source = find(await unitsOf(english), 'menu.open');
    await api.patch(`/api/units/${source.id}/`, { target: ['Open the file'], state: 20 });
    expect(find(await unitsOf(path), 'menu.open')).toMatchObject({
      source: ['Open the file'],
      previous_source: 'Open',
      target: ['Otevřít'],
      state: 10,
    });
    expect(await api.get(`${path}/statistics/`)).toMatchObject({ total: 3, translated: 2, fuzzy: 1, total_words: 6 });
    expect((await api.get(`${path}/changes/`)).results[0]).toMatchObject({ action: 30 });
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(remote.remoteFile('l/en.json').toString()).toBe(sample.base.toString().replace('"Open"', '"Open the file"'));
    expect(remote.remoteFile('l/cs.json').toString()).toBe(sample.czech.toString());
    await api.patch(`/api/units/${source.id}/`, { target: ['Open'], state: 20 });
    expect(find(await unitsOf(path), 'menu.open')).toMatchObject({ source: ['Open'], previous_source: '', state: 20 });
  });
});

describe('a string that is missing from a file', () => {
  const sample: Sample = {
    format: 'webextension',
    filemask: '_locales/*/messages.json',
    template: '_locales/en/messages.json',
    base: '{\n    "hi": {\n        "message": "Hi $WHO$",\n        "description": "Greets",\n        "placeholders": {"who": {"content": "$1"}}\n    },\n    "bye": {"message": "Good bye"}\n}\n',
    file: '_locales/cs/messages.json',
    czech: '{\n  "bye": { "message": "Sbohem" }\n}\n',
    edit: 'hi',
    target: ['Ahoj $WHO$'],
    from: '{ "message": "Sbohem" }',
    to: '{ "message": "Sbohem" },\n  "hi": {\n    "message": "Ahoj $WHO$",\n    "description": "Greets",\n    "placeholders": {\n      "who": {\n        "content": "$1"\n      }\n    }\n  }',
  };

  it('a string that is missing from a file is added with all attributes of the template', async () => {
    const { remote, path, componentPath } = await imported(sample);
    const unit = find(await unitsOf(path), 'hi');
    expect(unit).toMatchObject({ target: [''], state: 0 });
    await api.patch(`/api/units/${unit.id}/`, { target: sample.target, state: 20 });
    expect((await api.bytes(`${path}/file/`)).toString()).toBe(spliced(sample).toString());
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(remote.remoteFile(sample.file).toString()).toBe(spliced(sample).toString());
    expect(remote.remoteFile(sample.template!).equals(bytes(sample.base))).toBe(true);
  });
});

describe('an empty value', () => {
  const android = (...strings: [string, string][]) =>
    `<resources>\n${strings.map(([name, text]) => `  <string name="${name}">${text}</string>\n`).join('')}</resources>\n`;
  const ini = (...strings: [string, string][]) => `[s]\n${strings.map(([key, text]) => `${key}=${text}\n`).join('')}`;
  it.each([
    ['aresource', 'v-*/strings.xml', 'v/strings.xml', 'v-cs/strings.xml', android, ''],
    ['ini', 'n/*.ini', 'n/en.ini', 'n/cs.ini', ini, '[s]'],
  ] as const)(
    'an empty value of %s is an untranslated string, and new ones leave pending edits unchanged',
    async (format, filemask, template, file, write, prefix) => {
      const remote = makeRemote({
        [template]: write(['a', ''], ['b', 'x'], ['c', '']),
        [file]: write(['a', ''], ['b', ''], ['c', 'z']),
      });
      const { path, componentPath } = await importExample(api, remote, {
        filemask,
        template,
        new_base: '',
        file_format: format,
      });
      const texts = async () =>
        (await unitsOf(path)).map((unit) => [unit.context, unit.source[0], unit.target[0], unit.state]);
      const key = (name: string) => prefix + name;
      expect(await texts()).toEqual([
        [key('a'), '', '', 0],
        [key('b'), 'x', '', 0],
        [key('c'), '', 'z', 20],
      ]);
      const { id } = find(await unitsOf(path), key('b'));
      await api.patch(`/api/units/${id}/`, { target: ['y'], state: 20 });

      remote.write({
        [template]: write(['a', ''], ['b', 'x'], ['c', ''], ['d', '']),
        [file]: write(['a', ''], ['b', ''], ['c', 'z'], ['d', '']),
      });
      remote.commit('One more empty value');
      remote.push();
      await api.post(`${componentPath}/repository/`, { operation: 'pull' });
      expect(await texts()).toEqual([
        [key('a'), '', '', 0],
        [key('b'), 'x', 'y', 20],
        [key('c'), '', 'z', 20],
        [key('d'), '', '', 0],
      ]);
      await api.post(`${componentPath}/repository/`, { operation: 'push' });
      expect(remote.remoteFile(file).toString()).toBe(write(['a', ''], ['b', 'y'], ['c', 'z'], ['d', '']));
    },
  );
});
