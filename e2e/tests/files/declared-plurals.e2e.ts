import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { upload } from '../../support/uploads.mjs';

const { api } = system();

const header = (count: number, formula: string) => `Plural-Forms: nplurals=${count}; plural=${formula};\\n`;
const ours = header(4, '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : (n==0) ? 2 : 3');
const forms = ['%d soubor', '%d soubory', 'nic', '%d souborů'];

const po = (plurals: string, texts: readonly string[]) =>
  [
    'msgid ""',
    'msgstr ""',
    '"Language: cs\\n"',
    '"Content-Type: text/plain; charset=UTF-8\\n"',
    `"${plurals}"`,
    '',
    'msgid "%d file"',
    'msgid_plural "%d files"',
    ...texts.map((text, form) => `msgstr[${form}] "${text}"`),
    '',
  ].join('\n');

describe('a gettext file with other plural forms than its language', () => {
  async function component() {
    const remote = makeRemote({ 'po/cs.po': po(ours, forms) });
    const { path, componentPath } = await importExample(api, remote, { new_base: '', new_lang: 'none' });
    const unit = async () => (await api.all(`${path}/units/`))[0]!;
    const operate = async (operation: string) =>
      expect(await api.post(`${componentPath}/repository/`, { operation })).toMatchObject({ result: true });
    const upstream = (content: string) => {
      remote.write({ 'po/cs.po': content });
      remote.commit('Upstream');
      remote.push();
    };
    return { remote, path, unit, operate, upstream };
  }

  it('a file with other plural forms than its language keeps them', async () => {
    const { remote, path, unit, operate } = await component();
    const { id, target } = await unit();
    expect(target).toEqual(forms);
    const three = await api.send('PATCH', `/api/units/${id}/`, { target: ['a', 'b', 'c'], state: 20 });
    expect([three.status, three.body.errors[0]]).toMatchObject([400, { attr: 'target' }]);
    const edited = ['%d kus', '%d kusy', 'nic', '%d kusů'];
    await api.patch(`/api/units/${id}/`, { target: edited, state: 20 });
    await operate('push');
    expect(remote.remoteFile('po/cs.po').toString()).toBe(po(ours, edited));
    // A downloaded file can be uploaded.
    const file = await api.bytes(`${path}/file/`);
    expect((await upload(api, path, file)).body).toMatchObject({ total: 1, not_found: 0 });
  });

  it('a changed plural header is followed, and pending edits are adapted', async () => {
    const { remote, unit, operate, upstream } = await component();
    const { id } = await unit();
    await api.patch(`/api/units/${id}/`, { target: ['1', '2', '3', '4'], state: 20 });
    const five = header(5, '(n<4) ? n : 4');
    upstream(po(five, [...forms, '']));
    await operate('pull');
    expect(await unit()).toMatchObject({ target: ['1', '2', '3', '4', ''], has_suggestion: false });
    await operate('push');
    expect(remote.remoteFile('po/cs.po').toString()).toBe(po(five, ['1', '2', '3', '4', '']));
    const short = await api.send('PATCH', `/api/units/${id}/`, { target: ['a', 'b', 'c', 'd'], state: 20 });
    expect(short.status).toBe(400);
  });
});
