import { repositoryAddons, type StoredAddon } from './addon';

const installed = (id: number, componentId: number, projectId: number): StoredAddon => ({
  id,
  name: 'weblate.generate.generate',
  componentId,
  projectId,
  configuration: {},
});
const stored = [installed(1, 10, 0), installed(2, 0, 5), installed(3, 0, 0)];

/** Ids of the add-ons that may change files of the repository of a component of project 5. */
function idsFor(linkedComponentId: number, linkedProjectId: number): number[] {
  const component = { settings: { linkedComponentId, linkedProjectId }, project: { id: 5 } };
  return repositoryAddons(stored, component).map(({ id }) => id);
}

describe('add-ons of a project', () => {
  it('add-ons of a project change files of the repositories of that project', () => {
    expect(idsFor(0, 0)).toEqual([1, 2, 3]);
    expect(idsFor(20, 5)).toEqual([1, 2, 3]);
  });

  it('add-ons of a project do not change files of a repository that another project owns', () => {
    expect(idsFor(20, 6)).toEqual([1, 3]);
  });
});
