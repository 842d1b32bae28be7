import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { exampleFiles } from '../../support/repository.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';

const { api, base } = system();

interface Unit {
  id: number;
  source: string[];
  target: string[];
  state: number;
  source_unit: string;
}
const unitsOf = (path: string) => api.all(`${path}/units/`) as Promise<Unit[]>;
const unitOf = async (path: string, source: string) => (await unitsOf(path)).find((u) => u.source[0] === source)!;

describe('add-ons that work on strings', () => {
  it('add-ons fill new strings, also after the next update, and commit as the site', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote);
    await api.post(`${componentPath}/addons/`, { name: 'weblate.generate.prefill' });
    const filled = await eventually(
      () => unitOf(path, 'Good bye.'),
      (unit: Unit) => unit.state === 10,
    );
    expect(filled.target).toEqual(['Good bye.']);
    const [change] = (await api.get(`/api/units/${filled.id}/`), (await api.get(`${path}/changes/?action=6`)).results);
    expect(change).toMatchObject({ action: 6, unit: `${base}/api/units/${filled.id}/`, user: null });

    const files = exampleFiles();
    remote.write({ 'po/cs.po': `${files['po/cs.po']}\nmsgid "Fresh"\nmsgstr ""\n`.replace(/\n#~[^]*?\n\n/, '\n\n') });
    remote.commit('A new string');
    remote.push();
    expect(await api.post(`${componentPath}/repository/`, { operation: 'pull' })).toMatchObject({ result: true });
    await eventually(
      () => unitOf(path, 'Fresh'),
      (unit: Unit | undefined) => unit?.state === 10,
    );
    await api.post(`${componentPath}/repository/`, { operation: 'push' });
    expect(remote.remoteFile('po/cs.po').toString()).toContain('#, fuzzy\nmsgid "Fresh"\nmsgstr "Fresh"');
    expect(remote.log()[0]!.author).toBe(remote.log()[0]!.committer);
  });

  it('the bulk edit add-on changes state, flags and labels', async () => {
    const { project, path, componentPath } = await importExample(api, makeRemote());
    const label = await api.post(`/api/projects/${project}/labels/`, { name: 'Greeting', color: 'navy' });
    await api.post(`${componentPath}/addons/`, {
      name: 'weblate.flags.bulk',
      configuration: {
        q: 'source:Hello',
        state: 10,
        add_flags: 'max-length:40',
        remove_flags: '',
        add_labels: ['Greeting'],
        remove_labels: [],
      },
    });
    const hello = await eventually(
      () => unitOf(path, 'Hello, world!'),
      (unit: Unit) => unit.state === 10,
    );
    const source = await eventually(
      () => api.get(hello.source_unit),
      (unit: { extra_flags: string; labels: unknown[] }) => unit.extra_flags !== '' && unit.labels.length > 0,
    );
    expect(source).toMatchObject({ extra_flags: 'max-length:40', labels: [{ id: label.id }] });
    expect((await unitOf(path, '%d file')).state).toBe(20);
    expect((await api.get(`/api/units/${hello.id}/`)).state).toBe(10);
  });

  it('the automatic translation add-on uses texts of other components', async () => {
    const { project, path, componentPath } = await importExample(api, makeRemote());
    const files = exampleFiles();
    const remote = makeRemote({
      ...files,
      'po/cs.po': files['po/cs.po'].replace('msgid "Good bye."\nmsgstr ""', 'msgid "Good bye."\nmsgstr "Na shledanou"'),
    });
    await addExample(api, project, 'other', remote);
    await api.post(`${componentPath}/addons/`, {
      name: 'weblate.autotranslate.autotranslate',
      configuration: {
        mode: 'translate',
        q: 'state:<translated',
        auto_source: 'others',
        component: `${project}/other`,
        engines: [],
        threshold: 80,
      },
    });
    const unit = await eventually(
      () => unitOf(path, 'Good bye.'),
      (found: Unit) => found.state === 20,
    );
    expect(unit.target).toEqual(['Na shledanou']);
  });

  it('the pseudolocale add-on generates a pseudolocale', async () => {
    const { project, path, componentPath } = await importExample(api, makeRemote());
    const source = await api.get(`/api/translations/${project}/example/en/`);
    const target = await api.get(`/api/translations/${project}/example/de/`);
    await api.post(`${componentPath}/addons/`, {
      name: 'weblate.generate.pseudolocale',
      configuration: {
        source: source.id,
        target: target.id,
        prefix: '[',
        suffix: ']',
        var_suffix: '~',
        var_multiplier: 0.1,
      },
    });
    await eventually(
      async () => (await unitsOf(path.replace(/cs$/, 'de'))).map((unit) => unit.target[0]),
      (texts: string[]) => texts.includes('[Hello, world!~]') && texts.includes('[Good bye.~]'),
    );
  });
});

describe('add-ons that mark what comes from the repository', () => {
  it('add-ons mark new, changed and unchanged translations as needing editing, also in the file', async () => {
    const remote = makeRemote();
    const { path, componentPath } = await importExample(api, remote);
    await api.post(`${componentPath}/addons/`, { name: 'weblate.flags.target_repo_update' });
    await api.post(`${componentPath}/addons/`, { name: 'weblate.flags.same_edit' });
    const czech = exampleFiles()['po/cs.po'];
    remote.write({
      'po/cs.po': czech
        .replace('Ahoj, světe!', 'Nazdar, světe!')
        .replace('msgid "Good bye."\nmsgstr ""', 'msgid "Good bye."\nmsgstr "Good bye."'),
    });
    remote.commit('Other texts');
    remote.push();
    expect(await api.post(`${componentPath}/repository/`, { operation: 'pull' })).toMatchObject({ result: true });
    expect(await unitOf(path, 'Hello, world!')).toMatchObject({ target: ['Nazdar, světe!'], state: 10 });
    expect(await unitOf(path, 'Good bye.')).toMatchObject({ target: ['Good bye.'], state: 10 });
    expect((await unitOf(path, '%d file')).state).toBe(20);
    expect(await api.post(`${componentPath}/repository/`, { operation: 'push' })).toMatchObject({ result: true });
    expect(remote.remoteFile('po/cs.po').toString()).toContain('#, fuzzy\nmsgid "Hello, world!"');
    expect((await unitOf(path, 'Hello, world!')).state).toBe(10);
  });
});

describe('webhook add-ons', () => {
  it('webhook add-ons send signed history entries', async () => {
    const received: { headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.end();
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const { path, componentPath } = await importExample(api, makeRemote());
      const secret = `whsec_${Buffer.from('a secret of sixteen bytes').toString('base64')}`;
      const addon = await api.post(`${componentPath}/addons/`, {
        name: 'weblate.webhook.webhook',
        configuration: {
          webhook_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/changes`,
          events: [5],
          secret,
        },
      });
      const unit = await unitOf(path, 'Good bye.');
      await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
      const [delivery] = await eventually(
        async () => received,
        (list: unknown[]) => list.length > 0,
      );
      const { headers, body } = delivery as (typeof received)[number];
      expect(JSON.parse(body)).toMatchObject({ action: expect.anything() });
      const signed = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
        .digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${signed}`);
      const count = received.length;
      await api.delete(`/api/addons/${addon.id}/`);
      await api.patch(`/api/units/${unit.id}/`, { target: [''], state: 0 });
      await api.patch(`/api/units/${unit.id}/`, { target: ['Sbohem'], state: 20 });
      // The history contains the change, and no webhook is sent.
      await eventually(
        async () => (await api.get(`${path}/changes/?action=5`)).count,
        (changes: number) => changes >= 2,
      );
      expect(received).toHaveLength(count);
    } finally {
      server.close();
    }
  });
});
