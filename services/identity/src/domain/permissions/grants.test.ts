import { resolveGrants, type TeamReach } from './grants';

const team = (given: Partial<TeamReach<string>>): TeamReach<string> => ({
  permissions: [],
  projectSelection: 0,
  projects: [],
  components: [],
  listedProjects: [],
  languageSelection: 1,
  languages: [],
  ...given,
});
const onSite = (p: string) => p === 'project.add';
const resolve = (...teams: TeamReach<string>[]) => resolveGrants(teams, onSite);

describe('grants', () => {
  it('grants merge the permissions of teams on the same objects', () => {
    expect(
      resolve(
        team({ permissions: ['a'], projects: [1, 2] }),
        team({ permissions: ['b'], projects: [2] }),
        team({ permissions: ['a', 'b'], projects: [7] }),
      ),
    ).toEqual([
      { permissions: ['a'], projects: [1] },
      { permissions: ['a', 'b'], projects: [2, 7] },
    ]);
  });

  it('grants keep languages separate, including an empty selection', () => {
    expect(
      resolve(
        team({ permissions: ['a'], projects: [1], languageSelection: 0, languages: ['de', 'cs', 'de'] }),
        team({ permissions: ['a'], projects: [1], languageSelection: 0 }),
      ),
    ).toEqual([
      { permissions: ['a'], projects: [1], languages: ['cs', 'de'] },
      { permissions: ['a'], projects: [1], languages: [] },
    ]);
  });

  it('grants follow the project selection', () => {
    const reach = (projectSelection: number) =>
      resolve(team({ permissions: ['a'], projectSelection, projects: [1], listedProjects: [9] }))[0]!.projects;
    expect([0, 1, 2, 3, 4].map(reach)).toEqual([[1], 'all', [9], 'public', 'protected']);
  });

  it('a team with components grants permissions only on these and shows their projects', () => {
    expect(resolve(team({ permissions: ['a'], projectSelection: 1, components: [{ id: 50, projectId: 5 }] }))).toEqual([
      { permissions: ['a'], projects: [5], components: [50] },
    ]);
  });

  it('site permissions do not depend on the reach of a team', () => {
    expect(resolve(team({ permissions: ['project.add'] }))).toEqual([{ permissions: ['project.add'], projects: [] }]);
  });

  it('members of teams without roles see their projects', () => {
    expect(resolve(team({ projects: [3] }))).toEqual([{ permissions: [], projects: [3] }]);
  });
});
