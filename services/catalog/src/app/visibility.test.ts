import { reasonOf, UseCaseWorld } from '../../test/support/memory/world';
import type { RequestContext } from './deps';
import { hiddenFrom, requirePermission, requireService, requireSitePermission, targetOf } from './visibility';

const PRIVATE = 100;

async function start() {
  const world = new UseCaseWorld();
  const open = await world.project('open');
  const secret = await world.project('secret', { accessControl: PRIVATE });
  const plain = await world.component(open.id, 'plain');
  const restricted = await world.component(open.id, 'restricted', { restricted: true });
  const inside = await world.component(secret.id, 'inside');
  const hidden = async (context: RequestContext) => {
    const { projects, components } = hiddenFrom(context, await world.deps.snapshot.at('now'));
    return { projects: [...projects], components: [...components] };
  };
  return { world, open, secret, plain, restricted, inside, hidden };
}

describe('objects that are hidden from a caller', () => {
  it('superusers see everything', async () => {
    const { world, hidden } = await start();
    expect(await hidden(world.admin)).toEqual({ projects: [], components: [] });
  });

  it('callers without a team see neither private projects nor restricted components', async () => {
    const { world, secret, restricted, hidden } = await start();
    const reader = world.as({ userId: 7, grants: [{ permissions: [], projects: 'public' }] });
    expect(await hidden(reader)).toEqual({ projects: [secret.id], components: [restricted.id] });
    expect(await hidden(world.anonymous)).toEqual({ projects: [secret.id], components: [restricted.id] });
  });

  it('a team with listed components sees only these of a private project', async () => {
    const { world, secret, inside, hidden } = await start();
    const other = await world.component(secret.id, 'other');
    const member = world.as({
      userId: 7,
      grants: [{ permissions: ['unit.edit'], projects: [secret.id], components: [inside.id] }],
    });
    const { projects, components } = await hidden(member);
    expect(projects).not.toContain(secret.id);
    expect(components).toContain(other.id);
    expect(components).not.toContain(inside.id);
  });

  it('a token that is limited to a project hides the others, also from superusers', async () => {
    const { world, open, secret, hidden } = await start();
    const token = world.as({ userId: 7, isSuperuser: true, onlyProjects: [open.id] });
    expect((await hidden(token)).projects).toEqual([secret.id]);
  });
});

describe('required permissions', () => {
  const check = (run: () => void) => reasonOf(Promise.resolve().then(run));

  it('only an anonymous denied caller gets a request to sign in', async () => {
    const { world, open } = await start();
    const target = targetOf(open);
    const denied = (context: RequestContext) => check(() => requirePermission(context, 'project.edit', target));
    expect(await denied(world.anonymous)).toBe('NOT_AUTHENTICATED');
    expect(await denied(world.member([]))).toBe('PERMISSION_DENIED');
    expect(await denied(world.member(['project.edit'], [open.id]))).toBe('OK');
  });

  it('a permission on a project does not apply to the site, and users do not count as services', async () => {
    const { world, open } = await start();
    const manager = world.member(['project.edit'], [open.id]);
    expect(await check(() => requireSitePermission(manager, 'language.edit'))).toBe('PERMISSION_DENIED');
    expect(await check(() => requireSitePermission(world.admin, 'language.edit'))).toBe('OK');
    expect(await check(() => requireService(world.admin))).toBe('PERMISSION_DENIED');
    expect(await check(() => requireService(world.service))).toBe('OK');
  });
});
