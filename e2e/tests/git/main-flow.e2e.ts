import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api, base } = system();

describe('a repository goes in, a translated edit comes out', () => {
  it('a repository is imported, edited with read-your-writes, committed and pushed with exactly one changed string', async () => {
    const remote = makeRemote();
    const { project, path, componentPath } = await importExample(api, remote);

    const units = await api.all(`${path}/units/`);
    expect(units.map((u: { source: string[] }) => u.source[0])).toEqual(['Hello, world!', '%d file', 'Good bye.']);
    const plural = units[1];
    expect(plural).toMatchObject({
      source: ['%d file', '%d files'],
      target: ['%d soubor', '%d soubory', '%d souborů'],
      state: 20,
      flags: 'c-format',
      location: 'src/main.c:20',
    });
    const waiting = await api.get(`${path}/units/?q=state:empty`);
    expect(waiting.count).toBe(1);
    const unit = waiting.results[0];
    expect(unit).toMatchObject({
      source: ['Good bye.'],
      context: 'farewell',
      note: 'Shown when the program ends.',
      state: 0,
      translated: false,
      pending: false,
    });

    const before = await api.get(`${path}/statistics/`);
    const answer = await api.send('PATCH', `/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ target: ['Na shledanou'], state: 20, explanation: '', extra_flags: '', labels: [] });

    // Each of these requests follows the edit immediately.
    const after = await api.get(`${path}/statistics/`);
    expect(after.translated).toBe(before.translated + 1);
    expect(after.total).toBe(3);
    const saved = await api.get(`/api/units/${unit.id}/`);
    expect(saved).toMatchObject({
      target: ['Na shledanou'],
      state: 20,
      translated: true,
      pending: true,
      has_failing_check: true,
    });
    const [change] = (await api.get(`${path}/changes/?action=5`)).results;
    expect(change).toMatchObject({ action: 5, target: 'Na shledanou', unit: `${base}/api/units/${unit.id}/` });
    expect(change.user).toBe(`${base}/api/users/admin/`);
    expect((await api.bytes(`${path}/file/`)).toString()).toContain('msgstr "Na shledanou"');
    expect((await api.get(`/api/translations/${project}/example/cs/`)).translated).toBe(after.translated);

    const status = await api.get(`${componentPath}/repository/`);
    expect(status).toMatchObject({ needs_commit: true, needs_merge: false });
    const untouched = remote.remoteFile('po/cs.po').toString();
    expect(await api.post(`${componentPath}/repository/`, { operation: 'commit' })).toMatchObject({ result: true });
    expect(remote.log()).toHaveLength(1);
    expect(await api.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    const log = remote.log();
    expect(log).toHaveLength(2);
    expect(log[0]!.author).toMatch(/^.*admin.* <.+@.+>$/i);
    const pushed = remote.remoteFile('po/cs.po').toString();
    expect(pushed).toBe(untouched.replace('msgid "Good bye."\nmsgstr ""', 'msgid "Good bye."\nmsgstr "Na shledanou"'));
    expect((await api.get(`/api/units/${unit.id}/`)).pending).toBe(false);
    expect(await api.get(`${componentPath}/repository/`)).toMatchObject({
      needs_commit: false,
      needs_push: false,
      needs_merge: false,
      merge_failure: null,
    });
  });

  it('upstream changes arrive by hook and by pull', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote);
    remote.write({ 'po/cs.po': remote.read('po/cs.po').toString().replace('Ahoj, světe!', 'Nazdar, světe!') });
    remote.commit('Greet differently');
    remote.push();
    const hook = await makeApi(base).send(
      'POST',
      '/hooks/github/',
      {
        ref: 'refs/heads/main',
        repository: {
          name: 'remote',
          owner: { login: 'example' },
          clone_url: remote.url,
          html_url: remote.url,
          url: remote.url,
        },
      },
      { 'x-github-event': 'push' },
    );
    expect(hook.status).toBe(200);
    expect(hook.body).toMatchObject({
      status: 'success',
      match_status: { repository_matches: 1, branch_matches: 1, enabled_hook_matches: 1 },
    });
    const hello = await eventually(
      async () => (await api.get(`${path}/units/?q=${encodeURIComponent('source:="Hello, world!"')}`)).results[0],
      (unit: { target: string[] }) => unit.target[0] === 'Nazdar, světe!',
    );
    expect(hello.pending).toBe(false);

    remote.write({ 'po/cs.po': remote.read('po/cs.po').toString().replace('Nazdar, světe!', 'Zdravím, světe!') });
    remote.commit('And again');
    remote.push();
    expect(await api.post(`${componentPath}/repository/`, { operation: 'pull' })).toMatchObject({ result: true });
    expect((await api.get(`/api/units/${hello.id}/`)).target).toEqual(['Zdravím, světe!']);
    const changes = await api.get(`/api/units/${hello.id}/`).then(() => api.get(`${path}/changes/?action=59`));
    expect(changes.results[0]).toMatchObject({ target: 'Zdravím, světe!', old: 'Nazdar, světe!' });
  });

  it.each(['rebase', 'merge'])('both texts are kept if both sides change the same string (%s)', async (mergeStyle) => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote, { merge_style: mergeStyle });
    const [hello, , farewell] = await api.all(`${path}/units/`);
    remote.write({ 'po/cs.po': remote.read('po/cs.po').toString().replace('Ahoj, světe!', 'Text z druhé strany') });
    remote.commit('Upstream text');
    remote.push();
    await api.patch(`/api/units/${hello.id}/`, { target: ['Text odsud'], state: 20 });
    await api.patch(`/api/units/${farewell.id}/`, { target: ['Sbohem.'], state: 20 });
    expect(await api.post(`${componentPath}/repository/`, { operation: 'pull' })).toMatchObject({ result: true });

    const merged = await api.get(`/api/units/${hello.id}/`);
    expect(merged).toMatchObject({ target: ['Text odsud'], has_suggestion: true });
    const changes = await api.all(`${path}/changes/`);
    const conflict = changes.find((c: { action: number; target: string }) => c.target === 'Text z druhé strany');
    expect(conflict).toMatchObject({ old: 'Text odsud', unit: `${base}/api/units/${hello.id}/` });
    expect(await api.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    const pushed = remote.remoteFile('po/cs.po').toString();
    expect(pushed).toContain('msgstr "Text odsud"');
    expect(pushed).toContain('msgstr "Sbohem."');
    expect(remote.log().map((c: { subject: string }) => c.subject)).toContain('Upstream text');
  });

  it('a translation downloads in other formats, completely or filtered by a query', async () => {
    const { path, componentPath } = await importExample(api, makeRemote());
    const xliff = await api.send('GET', `${path}/file/?format=xliff`, undefined, { accept: '*/*' });
    expect(xliff.status).toBe(200);
    expect(xliff.headers.get('content-type')).toBe('application/x-xliff+xml; charset=utf-8');
    expect(xliff.headers.get('content-disposition')).toMatch(/example-cs\.xlf/);
    expect(xliff.body).toContain('Ahoj, světe!');
    const csv = (await api.bytes(`${path}/file/?format=csv&q=state:empty`)).toString();
    expect(csv).toContain('Good bye.');
    expect(csv).not.toContain('Hello, world!');
    const refused = await api.send('GET', `${path}/file/?format=aresource`);
    expect({ status: refused.status, attr: refused.body.errors[0].attr }).toEqual({ status: 400, attr: 'format' });
    expect((await api.send('GET', `${path}/file/?q=state:empty`)).body.errors[0].attr).toBe('q');
    const zip = await api.bytes(`${componentPath}/file/?format=zip:csv`);
    expect(zip.subarray(0, 2).toString()).toBe('PK');
    expect(zip.toString('latin1')).toContain('example-cs.csv');
  });

  it('edits are committed per author', async () => {
    const remote = makeRemote();
    const { project, path, componentPath } = await importExample(api, remote);
    const [hello, , farewell] = await api.all(`${path}/units/`);
    const other = await system().user(`translator-${project}`);
    await other.patch(`/api/units/${hello.id}/`, { target: ['Od překladatele'], state: 20 });
    await api.patch(`/api/units/${farewell.id}/`, { target: ['Od správce.'], state: 20 });
    await api.patch(`/api/units/${hello.id}/`, { target: ['Od správce, později'], state: 20 });
    expect(await api.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    const authors = remote.log().map((c: { author: string }) => c.author);
    // The translator's commit contains the first text of the string, the administrator's commit the later one.
    expect(authors.filter((a: string) => a.includes(`translator-${project}`))).toHaveLength(1);
    expect(authors.filter((a: string) => a.includes('admin')).length).toBeGreaterThan(0);
    expect(remote.remoteFile('po/cs.po').toString()).toContain('Od správce, později');
  });

  it('an edit made after the loss of the clone is kept', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote);
    const [hello, , farewell] = await api.all(`${path}/units/`);
    await api.patch(`/api/units/${hello.id}/`, { target: ['Zapsáno, neodesláno'], state: 20 });
    expect(await api.post(`${componentPath}/repository/`, { operation: 'commit' })).toMatchObject({ result: true });
    system().loseClones();
    await api.patch(`/api/units/${farewell.id}/`, { target: ['Čeká.'], state: 20 });
    expect(await api.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    const pushed = remote.remoteFile('po/cs.po').toString();
    expect(pushed).toContain('Zapsáno, neodesláno');
    expect(pushed).toContain('Čeká.');
  });
});
