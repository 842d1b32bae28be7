// Add-ons that format files, update them from their base, mark strings and notify chat rooms, at component, project and site
// level.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { exampleFiles } from '../../support/repository.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';

const { api } = system();

interface Unit {
  id: number;
  context: string;
  source: string[];
  target: string[];
  state: number;
}
const unitsOf = (path: string): Promise<Unit[]> => api.all(`${path}/units/`);
const edit = async (path: string, source: string, target: string) => {
  const unit = (await unitsOf(path)).find((u) => u.source[0] === source)!;
  await api.patch(`/api/units/${unit.id}/`, { target: [target], state: 20 });
};
const operate = async (componentPath: string, operation: string) =>
  expect(await api.post(`${componentPath}/repository/`, { operation })).toMatchObject({ result: true });
const install = (at: string, name: string, configuration?: Record<string, unknown>) =>
  api.post(at, { name, ...(configuration ? { configuration } : {}) });

const resx = (texts: Record<string, string>) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<root>\n${Object.entries(texts)
    .map(([key, text]) => `  <data name="${key}" xml:space="preserve">\n    <value>${text}</value>\n  </data>\n`)
    .join('')}  <assembly alias="a" />\n</root>\n`;

describe('add-ons for files', () => {
  it('add-ons format YAML, XML and gettext files, and update RESX files from their base', async () => {
    const long = 'A sentence that is long enough to be broken into two lines when files are wrapped as gettext does it';
    const files = exampleFiles();
    const remote = makeRemote({
      ...files,
      'po/cs.po': `${files['po/cs.po']}\nmsgid "Long"\nmsgstr ""\n`,
      'y/en.yml': 'menu:\n  open: Open\n  close: Close\n',
      'y/cs.yml': 'menu:\n  open: "Otevřít"\n  close: ""\n',
      'r/en.resx': resx({ open: 'Open', close: 'Close' }),
      'r/cs.resx': resx({ open: 'Otevřít' }),
    });
    const { project, path, componentPath } = await importExample(api, remote);
    const linked = { repo: `parlance://${project}/example`, branch: '', push: '', new_base: '' };
    await Promise.all([
      addExample(api, project, 'yaml', remote, {
        ...linked,
        filemask: 'y/*.yml',
        template: 'y/en.yml',
        file_format: 'yaml',
      }),
      addExample(api, project, 'resx', remote, {
        ...linked,
        filemask: 'r/*.resx',
        template: 'r/en.resx',
        file_format: 'resx',
      }),
    ]);
    const components = `/api/components/${project}`;
    await install(`${componentPath}/addons/`, 'weblate.gettext.customize', { width: -1 });
    await install(`${components}/yaml/addons/`, 'weblate.yaml.customize', {
      indent: 4,
      width: 65535,
      line_break: 'dos',
    });
    await install(`${components}/resx/addons/`, 'weblate.xml.customize', { closing_tags: true });
    await install(`${components}/resx/addons/`, 'weblate.resx.update');
    await edit(path, 'Long', long);
    await edit(`/api/translations/${project}/yaml/cs`, 'Close', 'Zavřít');
    await edit(`/api/translations/${project}/resx/cs`, 'Open', 'Odemknout');
    await eventually(
      async () => {
        await operate(componentPath, 'push');
        return remote.remoteFile('r/cs.resx').toString();
      },
      (text: string) => text.includes('name="close"'),
    );
    expect(remote.remoteFile('po/cs.po').toString()).toContain(`msgid "Long"\nmsgstr "${long}"\n`);
    expect(remote.remoteFile('y/cs.yml').toString()).toMatch(/^menu:\r\n {4}open: .+\r\n {4}close: .?Zavřít.?\r\n$/);
    const xml = remote.remoteFile('r/cs.resx').toString();
    expect(xml).toContain('<value>Odemknout</value>');
    expect(xml).toContain('<assembly alias="a"></assembly>');
  });
});

describe('add-ons for strings', () => {
  it('add-ons fill read-only strings and mark new source strings and translations', async () => {
    const remote = makeRemote({
      'y/en.yml': 'open: Open\nfixed: Fixed\n',
      'y/cs.yml': 'open: Otevřít\n',
    });
    const { project, componentPath } = await importExample(api, remote, {
      filemask: 'y/*.yml',
      template: 'y/en.yml',
      new_base: '',
      file_format: 'yaml',
    });
    const [english, czech] = ['en', 'cs'].map((code) => `/api/translations/${project}/example/${code}`) as [
      string,
      string,
    ];
    const unit = async (path: string, key: string) => (await unitsOf(path)).find((u) => u.context === key);
    const fixed = await unit(english, 'fixed');
    await api.patch(`/api/units/${fixed!.id}/`, { extra_flags: 'read-only' });
    expect(await unit(czech, 'fixed')).toMatchObject({ target: [''], state: 100 });
    await install(`${componentPath}/addons/`, 'weblate.generate.fill_read_only');
    await eventually(
      () => unit(czech, 'fixed'),
      (found: Unit) => found.target[0] === 'Fixed' && found.state === 100,
    );
    await install(`${componentPath}/addons/`, 'weblate.flags.source_edit');
    await install(`${componentPath}/addons/`, 'weblate.flags.target_edit');
    remote.write({
      'y/en.yml': 'open: Open\nfixed: Fixed\nfresh: Fresh\n',
      'y/cs.yml': 'open: Otevřít\nfresh: Čerstvý\n',
    });
    remote.commit('A new string');
    remote.push();
    await operate(componentPath, 'pull');
    expect(await unit(english, 'fresh')).toMatchObject({ state: 10 });
    expect(await unit(czech, 'fresh')).toMatchObject({ target: ['Čerstvý'], state: 10 });
    expect(await unit(czech, 'open')).toMatchObject({ state: 20 });
  });
});

describe('add-ons of a project and of the site', () => {
  it('add-ons of a project and of the site run on every matching component and notify chat rooms', async () => {
    const messages: string[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        messages.push((JSON.parse(Buffer.concat(chunks).toString()) as { text: string }).text);
        response.end('ok');
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const remote = makeRemote(exampleFiles());
    const { project, path, componentPath } = await importExample(api, remote);
    await install(`/api/projects/${project}/addons/`, 'weblate.gettext.mo');
    await install(`/api/projects/${project}/addons/`, 'weblate.webhook.slack', {
      webhook_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/room`,
      events: [5],
    });
    const site = await install('/api/addons/', 'weblate.gettext.authors');
    try {
      expect(site).toMatchObject({ component: null, project: null });
      await edit(path, 'Good bye.', 'Sbohem.');
      await operate(componentPath, 'push');
      expect(remote.remoteFile('po/cs.mo').includes('Sbohem.')).toBe(true);
      expect(remote.remoteFile('po/cs.po').toString()).toMatch(
        new RegExp(`^# .*<.+@.+>, ${new Date().getUTCFullYear()}\\.$`, 'm'),
      );
      const [message] = await eventually(
        async () => messages,
        (list: string[]) => list.length > 0,
      );
      expect(message).toContain(`${project}/example/cs`);
      // An add-on that fits no component of the project has no effect there.
      await install(`/api/projects/${project}/addons/`, 'weblate.properties.sort', {});
      await edit(path, 'Hello, world!', 'Nazdar, světe!');
      await operate(componentPath, 'push');
      expect(remote.remoteFile('po/cs.po').toString()).toContain('Nazdar, světe!');
    } finally {
      await api.delete(`/api/addons/${site.id}/`);
      server.close();
    }
  });
});
