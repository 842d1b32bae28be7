import { RestoredIds } from '@parlance/store-kit';
import { projectRules } from './project-rules';

const ids = new RestoredIds([
  { kind: 'project', from: '7', to: '70' },
  { kind: 'node', from: '5', to: '50' },
  { kind: 'repository', from: 'own', to: 'own' },
  { kind: 'repository', from: 'shared', to: 'shared' },
  { kind: 'bundle', from: 'b1', to: 'b1' },
]);
const write = (collection: string, document: Record<string, unknown>) => projectRules[collection]!.write(document, ids);

describe('the repositories of a restored project', () => {
  it('a component keeps its repository', () => {
    const component = { _id: 5, project: 7, repository: 'own', waitingSince: 3 };
    expect(write('components', component)).toEqual({ insert: { ...component, _id: 50, project: 70 } });
    expect(write('components', { ...component, project: 8 })).toBeUndefined();
  });

  it('a repository is restored without leases, queue and events, with its bundles', () => {
    const repository = { _id: 'own', owner: 5, token: 9, leaseOwner: 'w', queue: [{ id: 't' }], saved: [{ id: 'b1' }] };
    expect(write('repositories', repository)).toMatchObject({
      insert: { _id: 'own', owner: 50, token: 9, leaseOwner: '', queue: [], outbox: [], saved: [{ id: 'b1' }] },
    });
    expect(projectRules['repositories']!.refersTo!(repository)).toEqual([{ kind: 'bundle', from: 'b1', to: 'b1' }]);
    expect(write('commits', { _id: 'b1:0', bundle: 'b1' })).toEqual({ insert: { _id: 'b1:0', bundle: 'b1' } });
    expect(write('commits', { _id: 'b2:0', bundle: 'b2' })).toBeUndefined();
  });

  it('the repository of a component of another project, and one in preparation, stay as they are', () => {
    expect(write('repositories', { _id: 'shared', owner: 6, saved: [] })).toBeUndefined();
    expect(write('repositories', { _id: 'own', owner: null, saved: [] })).toBeUndefined();
    expect(write('repositories', { _id: 'other', owner: 5, saved: [] })).toBeUndefined();
  });
});
