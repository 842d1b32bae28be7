import { RestoredIds } from '@parlance/store-kit';
import { projectRules } from './project-rules';

const ids = new RestoredIds([
  { kind: 'project', from: '7', to: '70' },
  { kind: 'node', from: '5', to: '50' },
  { kind: 'team', from: '11', to: '7' },
  { kind: 'team', from: '12', to: '0' },
]);
const group = {
  _id: 11,
  deleted: false,
  definingProject: 7,
  teamKey: '7:Administration',
  projects: [7, 8],
  components: [
    { id: 5, projectId: 7 },
    { id: 6, projectId: 8 },
  ],
  outbox: [{ id: 'event' }],
  auditTrail: [],
};

describe('the rights of a restored project', () => {
  it('a team gets the new ids of the project and keeps its own', () => {
    expect(projectRules['groups']!.write(group, ids)).toEqual({
      insert: {
        ...group,
        definingProject: 70,
        teamKey: '70:Administration',
        projects: [70, 8],
        components: [
          { id: 6, projectId: 8 },
          { id: 50, projectId: 70 },
        ],
        outbox: [],
      },
    });
    expect(projectRules['groups']!.write({ ...group, deleted: true }, ids)).toBeUndefined();
  });

  it('another group gets its rights on the project back, if it exists', () => {
    const other = { ...group, _id: 3, definingProject: 0, teamKey: '' };
    expect(projectRules['groups']!.write(other, ids)).toEqual({
      update: {
        $addToSet: { projects: { $each: [70] }, components: { $each: [{ id: 50, projectId: 70 }] } },
        $inc: { version: 1 },
      },
      filter: { _id: 3, deleted: false },
    });
    expect(projectRules['groups']!.write({ ...other, projects: [8], components: [] }, ids)).toBeUndefined();
  });

  it('a user is in the teams of the project again and watches it, and project tokens stay revoked', () => {
    const user = { _id: 2, isBot: false, groups: [1, 11, 12], watched: [7, 8] };
    expect(projectRules['users']!.write(user, ids)).toEqual({
      update: { $addToSet: { groups: { $each: [11] }, watched: { $each: [70] } }, $inc: { version: 1 } },
      filter: { _id: 2, deleted: false },
    });
    expect(projectRules['users']!.write({ ...user, isBot: true }, ids)).toBeUndefined();
    expect(projectRules['users']!.write({ ...user, groups: [12], watched: [8] }, ids)).toBeUndefined();
  });
});
