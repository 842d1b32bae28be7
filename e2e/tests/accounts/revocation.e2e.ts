import { makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, parlance, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api } = system();

/** Reads repeatedly, so that the gateway answers from its cache. */
async function statuses(reader: typeof api, paths: readonly string[]): Promise<number[]> {
  const answers = await Promise.all([...paths, ...paths].map((path) => reader.send('GET', path)));
  return [...new Set(answers.map((answer) => answer.status))];
}

test('revoked access takes effect with the next request', async () => {
  const { project } = await importExample(api, makeRemote());
  const username = unique('reader');
  const reader = makeApi(api.base, parlance('user', 'create', username, '--token'));
  const list = `/api/translations/${project}/example/cs/units/`;
  const paths = [list, `/api/units/${(await api.get(list)).results[0].id}/`];
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 3; i++) expect(await statuses(reader, paths)).toEqual([200]);
    await api.patch(`/api/projects/${project}/`, { access_control: 100 });
    expect(await statuses(reader, paths)).toEqual([404]);
    await api.patch(`/api/projects/${project}/`, { access_control: 0 });
  }
  expect(await statuses(reader, paths)).toEqual([200]);
  await api.patch(`/api/users/${username}/`, { is_active: false });
  expect(await statuses(reader, paths)).toEqual([401]);
});
