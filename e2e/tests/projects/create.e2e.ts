import { makeRemote } from '../../support/remotes.mjs';
import { poHeader } from '../../support/repository.mjs';
import { exampleSettings, importExample, system } from '../../support/system.mjs';
import { zip } from '../../support/zip.mjs';

const { api, base } = system();
let count = 0;
async function makeProject(): Promise<string> {
  const slug = `create${process.pid}-${Date.now().toString(36)}-${count++}`;
  await api.post('/api/projects/', { name: slug, slug, web: 'https://example.com/' });
  return slug;
}

/** Sends a form with a file. Returns the component after its import. */
async function create(project: string, fields: Record<string, string>, field: string, name: string, bytes: Buffer) {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append(field, new Blob([new Uint8Array(bytes)]), name);
  const answer = await api.send('POST', `/api/projects/${project}/components/`, form);
  if (answer.status === 201) await api.finished(answer.body.task_url);
  return answer;
}

const tenfold = (piece: (i: number) => string): string => Array.from({ length: 20 }, (_, i) => piece(i)).join('\n');
/** Entity and alias expansion bombs. */
const aliases = `a0: &a0 lol\n${tenfold((i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(', ')}]`)}\n`;
const laughs = `<!DOCTYPE xliff [<!ENTITY l0 "lol">\n${tenfold((i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)}]>\n<xliff version="1.2"><file source-language="en" original="x" datatype="plaintext"><body><trans-unit id="a"><source>&l20;</source></trans-unit></body></file></xliff>`;

describe('components made from files', () => {
  it('a component is created from an archive', async () => {
    const project = await makeProject();
    const archive = zip({
      'po/app.pot': `${poHeader('')}msgid "One"\nmsgstr ""\n`,
      'po/cs.po': `${poHeader('cs')}msgid "One"\nmsgstr "Jedna"\n`,
    });
    const { status, body } = await create(
      project,
      { name: 'Zip', slug: 'zip', filemask: 'po/*.po', new_base: 'po/app.pot', file_format: 'po' },
      'zipfile',
      'files.zip',
      archive,
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({ vcs: 'local', repo: 'local:', branch: 'main', push_on_commit: true });
    const [unit] = await api.all(`/api/translations/${project}/zip/cs/units/`);
    expect(unit).toMatchObject({ source: ['One'], target: ['Jedna'] });
    await api.patch(`/api/units/${unit.id}/`, { target: ['Jednička'], state: 20 });
    expect(await api.post(`/api/components/${project}/zip/repository/`, { operation: 'push' })).toMatchObject({
      result: true,
    });
    expect((await api.bytes(`/api/translations/${project}/zip/cs/file/`)).toString()).toContain('Jednička');
  });

  it('a component is created from a document', async () => {
    const project = await makeProject();
    const { status, body } = await create(
      project,
      { name: 'Doc', slug: 'doc', file_format: 'json' },
      'docfile',
      'texts.json',
      Buffer.from('{"hello": "Hello"}\n'),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      filemask: 'doc/*.json',
      template: 'doc/en.json',
      new_base: 'doc/en.json',
      vcs: 'local',
    });
    await api.post(`/api/components/${project}/doc/translations/`, { language_code: 'cs' });
    const [unit] = await api.all(`/api/translations/${project}/doc/cs/units/`);
    expect(unit).toMatchObject({ source: ['Hello'], context: 'hello', state: 0 });
  });

  it('an invalid file is rejected with the reason and leaves no component behind', async () => {
    const project = await makeProject();
    const fields = { name: 'Zip', slug: 'zip', filemask: 'po/*.po', new_base: 'po/app.pot', file_format: 'po' };
    const { status, body } = await create(project, fields, 'zipfile', 'files.zip', Buffer.from('no archive'));
    expect(status).toBe(400);
    expect(body.errors[0].attr).toBe('zipfile');
    expect((await api.get(`/api/projects/${project}/components/`)).count).toBe(0);
  });

  it('archives and documents whose unpacked size exceeds the limit are rejected', async () => {
    const project = await makeProject();
    const fields = { name: 'Zip', slug: 'zip', filemask: 'po/*.po', new_base: 'po/app.pot', file_format: 'po' };
    const megabytes = 'x'.repeat(16 * 1024 * 1024);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`po/${i}.po`, megabytes]));
    const bombs: [string, string, Record<string, string>, Buffer][] = [
      ['zipfile', 'files.zip', fields, zip(many, { packed: true })],
      ['zipfile', 'files.zip', fields, zip({ 'po/cs.po': Buffer.alloc(64 * 1024 * 1024, 'x') }, { packed: true })],
      [
        'docfile',
        'texts.json',
        { name: 'Doc', slug: 'doc', file_format: 'json' },
        Buffer.from('[{"a":'.repeat(200_000)),
      ],
      ['docfile', 'texts.yml', { name: 'Doc', slug: 'doc', file_format: 'yaml' }, Buffer.from(aliases)],
      ['docfile', 'texts.xlf', { name: 'Doc', slug: 'doc', file_format: 'xliff' }, Buffer.from(laughs)],
      [
        'docfile',
        'texts.odt',
        { name: 'Doc', slug: 'doc', file_format: 'odf' },
        zip({ 'content.xml': megabytes.repeat(5) }, { packed: true }),
      ],
    ];
    for (const [field, name, values, bytes] of bombs) {
      expect(bytes.length).toBeLessThan(8 * 1024 * 1024);
      const { status, body } = await create(project, values, field, name, bytes);
      expect({ status, attr: body.errors?.[0]?.attr }).toEqual({ status: 400, attr: field });
    }
    expect((await api.get(`/api/projects/${project}/components/`)).count).toBe(0);
    const archive = zip({ 'po/app.pot': `${poHeader('')}msgid "One"\nmsgstr ""\n` });
    expect((await create(project, fields, 'zipfile', 'files.zip', archive)).status).toBe(201);
  });
});

describe('shared repositories', () => {
  it('components share a repository by address and by link, and not after opting out', async () => {
    const remote = makeRemote();
    const { project, componentPath } = await importExample(api, remote);
    const post = async (slug: string, more: Record<string, unknown>) => {
      const component = await api.post(`/api/projects/${project}/components/`, exampleSettings(remote, slug, more));
      await api.finished(component.task_url);
      return component;
    };
    const owner = `${base}${componentPath}/`;
    const linked = await post('linked', { repo: `parlance://${project}/example`, branch: '', new_lang: 'none' });
    expect(linked).toMatchObject({ linked_component: owner, repo: remote.url, branch: 'main', git_export: '' });
    expect(await post('shared', { push: remote.url })).toMatchObject({ linked_component: owner });
    expect(await post('own', { push: remote.url, disable_autoshare: true })).toMatchObject({ linked_component: null });

    const [unit] = await api.all(`/api/translations/${project}/linked/cs/units/?q=state:empty`);
    await api.patch(`/api/units/${unit.id}/`, { target: ['Sbohem'], state: 20 });
    expect(await api.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    expect(remote.remoteFile('po/cs.po').toString()).toContain('Sbohem');
    const refused = await api.send(
      'POST',
      `/api/projects/${project}/components/`,
      exampleSettings(remote, 'chain', { repo: `parlance://${project}/linked`, branch: '' }),
    );
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0].attr).toBe('repo');
  });
});

describe('tasks', () => {
  it('tasks of a deleted component end for clients that poll them, and unknown tasks have not begun', async () => {
    const { component, componentPath } = await importExample(api, makeRemote());
    await api.delete(`${componentPath}/`);
    const deleted = { completed: true, progress: 100, result: 'The component was deleted.', log: '' };
    expect(await api.get(component.task_url)).toEqual(deleted);
    const unknown = await api.get('/api/tasks/00000000-0000-4000-8000-000000000000/');
    expect(unknown).toEqual({ completed: false, progress: 0, result: null, log: '' });
  });

  it('tasks can be cancelled by users who may edit the component', async () => {
    const { component } = await importExample(api, makeRemote());
    const anonymous = await fetch(component.task_url, { method: 'DELETE' });
    expect(anonymous.status).toBe(401);
    expect((await api.send('DELETE', component.task_url)).status).toBe(204);
    expect((await api.send('DELETE', '/api/tasks/00000000-0000-4000-8000-000000000000/')).status).toBe(404);
  });
});
