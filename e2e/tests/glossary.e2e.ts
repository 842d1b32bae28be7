import { eventually } from '../support/api.mjs';
import { makeRemote } from '../support/remotes.mjs';
import { addExample, importExample, system } from '../support/system.mjs';

const { api } = system();

const codes = async (project: string, glossary: string): Promise<string[]> => {
  const translations = await api.all(`/api/components/${project}/${glossary}/translations/`);
  return translations.map((translation: { language_code: string }) => translation.language_code).sort();
};
const glossaries = async (project: string) =>
  (await api.all(`/api/projects/${project}/components/`)).filter((c: { is_glossary: boolean }) => c.is_glossary);

describe('the glossary of a project', () => {
  it('comes with the first component and follows its languages', async () => {
    const repository = makeRemote();
    const { project } = await importExample(api, repository);
    const [glossary] = await eventually(
      () => glossaries(project),
      (found: unknown[]) => found.length === 1,
    );
    const { name } = await api.get(`/api/projects/${project}/`);
    expect(glossary).toMatchObject({
      name,
      slug: 'glossary',
      vcs: 'local',
      repo: 'local:',
      filemask: '*.tbx',
      file_format: 'tbx',
      new_lang: 'none',
      manage_units: true,
      allow_translation_propagation: false,
      is_glossary: true,
      category: null,
    });
    const languages = await codes(project, 'example');
    const same = (wanted: string[]) => (found: string[]) => found.join() === wanted.join();
    await eventually(() => codes(project, 'glossary'), same(languages));

    await api.post(`/api/components/${project}/example/translations/`, { language_code: 'fi' });
    await eventually(() => codes(project, 'glossary'), same([...languages, 'fi'].sort()));
    repository.write({ 'po/lt.po': repository.read('po/cs.po') });
    repository.commit('Lithuanian');
    repository.push();
    await api.post(`/api/components/${project}/example/repository/`, { operation: 'pull' });
    await eventually(() => codes(project, 'glossary'), same([...languages, 'fi', 'lt'].sort()));

    // A term comes to all of them, and is in the files once it is committed.
    await api.post(`/api/translations/${project}/glossary/en/units/`, { source: ['ship'], target: ['ship'] });
    const [term] = await api.all(`/api/translations/${project}/glossary/lt/units/`);
    await api.patch(`/api/units/${term.id}/`, { target: ['laivas'], state: 20 });
    await api.post(`/api/components/${project}/glossary/repository/`, { operation: 'commit' });
    expect((await api.bytes(`/api/translations/${project}/glossary/lt/file/`)).toString()).toContain('laivas');
  });

  it('comes back with the next component when it was deleted', async () => {
    const { project } = await importExample(api, makeRemote());
    const there = () => glossaries(project);
    await eventually(there, (found: unknown[]) => found.length === 1);
    await eventually(
      () => codes(project, 'glossary'),
      (found: string[]) => found.length > 1,
    );
    await api.delete(`/api/components/${project}/glossary/`);
    expect(await there()).toEqual([]);
    await api.post(`/api/components/${project}/example/translations/`, { language_code: 'fi' });
    await addExample(api, project, 'other', makeRemote(), { name: 'Other' });
    await eventually(there, (found: unknown[]) => found.length === 1);
    await eventually(
      () => codes(project, 'glossary'),
      (found: string[]) => found.includes('fi'),
    );
  });
});
