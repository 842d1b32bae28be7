import { makeRemote } from '../../support/remotes.mjs';
import { addExample, followedByGlossary, importExample, system } from '../../support/system.mjs';

const { api } = system();

const glossaries = async (project: string) =>
  (await api.all(`/api/projects/${project}/components/`)).filter((c: { is_glossary: boolean }) => c.is_glossary);

describe('the glossary of a project', () => {
  it('the glossary is created with the first component and follows its languages', async () => {
    const repository = makeRemote();
    const { project } = await importExample(api, repository);
    expect(await followedByGlossary(api, project)).toEqual(['cs', 'de', 'en']);
    const [glossary] = await glossaries(project);
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
    await api.post(`/api/components/${project}/example/translations/`, { language_code: 'fi' });
    expect(await followedByGlossary(api, project)).toEqual(['cs', 'de', 'en', 'fi']);
    repository.write({ 'po/lt.po': repository.read('po/cs.po') });
    repository.commit('Lithuanian');
    repository.push();
    await api.post(`/api/components/${project}/example/repository/`, { operation: 'pull' });
    expect(await followedByGlossary(api, project)).toEqual(['cs', 'de', 'en', 'fi', 'lt']);

    // A term is added to all languages and written to the files by a commit.
    await api.post(`/api/translations/${project}/glossary/en/units/`, { source: ['ship'], target: ['ship'] });
    const [term] = await api.all(`/api/translations/${project}/glossary/lt/units/`);
    await api.patch(`/api/units/${term.id}/`, { target: ['laivas'], state: 20 });
    await api.post(`/api/components/${project}/glossary/repository/`, { operation: 'commit' });
    expect((await api.bytes(`/api/translations/${project}/glossary/lt/file/`)).toString()).toContain('laivas');
  });

  it('a deleted glossary is created again with the next component', async () => {
    const { project } = await importExample(api, makeRemote());
    await followedByGlossary(api, project);
    await api.delete(`/api/components/${project}/glossary/`);
    expect(await glossaries(project)).toEqual([]);
    await api.post(`/api/components/${project}/example/translations/`, { language_code: 'fi' });
    await addExample(api, project, 'other', makeRemote(), { name: 'Other' });
    expect(await followedByGlossary(api, project)).toContain('fi');
  });
});
