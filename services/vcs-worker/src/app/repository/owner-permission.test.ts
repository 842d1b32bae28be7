import type { Caller, Permission } from '@parlance/access';
import type { Component } from '../../domain/component';
import { newRepository } from '../../domain/repository';
import type { Deps } from '../deps';
import { partitionByOwnerPermission } from './owner-permission';

/** Component of a project with the id's first digit. */
const component = (id: number, enforced2fa = false): Component => {
  const project = { id: Math.floor(id / 10), accessControl: 0, enforced_2fa: enforced2fa };
  return { settings: { id, restricted: false }, project } as unknown as Component;
};

function start(owners: Record<string, number | null>, used: Record<number, string>, others: readonly Component[] = []) {
  const asked: number[][] = [];
  const deps = {
    catalog: {
      components: async (ids: readonly number[]) => {
        asked.push([...ids]);
        return others.filter(({ settings }) => ids.includes(settings.id));
      },
    },
    index: {
      repositoriesOf: async (ids: readonly number[]) =>
        new Map(Object.entries(used).flatMap(([id, name]) => (ids.includes(Number(id)) ? [[Number(id), name]] : []))),
    },
    repositories: {
      byIds: async (ids: readonly string[]) =>
        ids
          .filter((id) => id in owners)
          .map((id) => newRepository({ id, owner: owners[id]!, task: '', vcs: 'git', repo: '', branch: 'main' })),
    },
  } as unknown as Pick<Deps, 'catalog' | 'index' | 'repositories'>;
  return { deps, asked };
}

/** A caller with a permission on projects. */
const caller = (permission: Permission, projects: number[]): Caller => ({
  userId: 7,
  username: '',
  fullName: '',
  email: '',
  isSuperuser: false,
  isBot: false,
  anonymous: false,
  grants: [{ permissions: [permission], projects }],
});

const ids = ({ allowed, denied }: { allowed: Component[]; denied: Component[] }) => ({
  allowed: allowed.map((c) => c.settings.id),
  denied: denied.map((c) => c.settings.id),
});

describe('permissions on repositories', () => {
  it('a component that shares a repository requires the permission on the owner', async () => {
    const { deps, asked } = start({ shared: 21 }, { 11: 'shared' }, [component(21)]);
    const partition = (projects: number[]) =>
      partitionByOwnerPermission(deps, caller('vcs.push', projects), ['vcs.push'], [component(11)]);
    expect(ids(await partition([1]))).toEqual({ allowed: [], denied: [11] });
    expect(ids(await partition([2]))).toEqual({ allowed: [11], denied: [] });
    expect(asked).toEqual([[21], [21]]);
  });

  it('an owner among the components is not requested again', async () => {
    const { deps, asked } = start({ shared: 21 }, { 11: 'shared', 21: 'shared' });
    const both = [component(11), component(21)];
    const found = await partitionByOwnerPermission(deps, caller('vcs.push', [2]), ['vcs.push'], both);
    expect(ids(found)).toEqual({ allowed: [11, 21], denied: [] });
    expect(asked).toEqual([]);
  });

  it('a component without an import requires the permission on itself', async () => {
    const { deps } = start({}, {});
    const found = await partitionByOwnerPermission(deps, caller('vcs.push', [1]), ['vcs.push'], [component(11)]);
    expect(ids(found).allowed).toEqual([11]);
  });

  it('repositories without a known owner are denied, also to superusers', async () => {
    const admin = { ...caller('vcs.push', []), isSuperuser: true };
    for (const { deps } of [
      start({ lost: null }, { 11: 'lost' }),
      start({}, { 11: 'deleted' }),
      start({ a: 99 }, { 11: 'a' }),
    ])
      expect(ids(await partitionByOwnerPermission(deps, admin, ['vcs.push'], [component(11)])).denied).toEqual([11]);
  });

  it('one of several permissions is enough, and only changes need an enforced second factor', async () => {
    const { deps } = start({}, {});
    const partition = async (readsOnly: boolean) => {
      const anyOf: Permission[] = ['vcs.reset', 'vcs.push'];
      return ids(
        await partitionByOwnerPermission(
          deps,
          caller('vcs.push', [1]),
          anyOf,
          [component(11, true)],
          readsOnly ? { generation: '' } : undefined,
        ),
      );
    };
    expect((await partition(true)).allowed).toEqual([11]);
    expect((await partition(false)).denied).toEqual([11]);
  });
});
