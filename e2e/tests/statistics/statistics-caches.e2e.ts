// Statistics of translations and shared components are current on the next request, although gateways cache what they count.
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api } = system();

it('the statistics of a component follow its translations immediately', async () => {
  const { componentPath, path } = await importExample(api, makeRemote(), { new_lang: 'add' });
  const codes = async () =>
    (await api.get(`${componentPath}/statistics/`)).results.map((row: { code: string }) => row.code).sort();
  const before = await codes();
  expect(before).toContain('cs');
  expect(before).not.toContain('fi');
  await api.post(`${componentPath}/translations/`, { language_code: 'fi' });
  expect(await codes()).toEqual([...before, 'fi'].sort());
  await api.delete(`${path}/`);
  expect(await codes()).toEqual([...before, 'fi'].filter((code) => code !== 'cs').sort());
});

it('the statistics of a project follow its shared components immediately', async () => {
  const { componentPath } = await importExample(api, makeRemote());
  const other = unique('other');
  await api.post('/api/projects/', { name: other, slug: other, web: 'https://example.com/' });
  const total = async () => (await api.get(`/api/projects/${other}/statistics/`)).total;
  const languages = async () => (await api.get(`/api/projects/${other}/languages/`)).count;
  expect([await total(), await languages()]).toEqual([0, 0]);
  await api.post(`${componentPath}/links/`, { project_slug: other });
  expect(await total()).toBeGreaterThan(0);
  expect(await languages()).toBeGreaterThan(0);
  await api.delete(`${componentPath}/links/${other}/`);
  expect([await total(), await languages()]).toEqual([0, 0]);
});
