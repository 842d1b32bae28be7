import { fieldsOf, reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import { createLink, deleteLink, deleteShared, listLinks, listShared } from './links';

const page = { page: 1, size: 10 };

async function start() {
  const world = new UseCaseWorld();
  const home = await world.project('home');
  const other = await world.project('other');
  const component = await world.component(home.id, 'app');
  const links = async () => (await world.components.get(component.id))!.links;
  const both = world.member(['component.edit', 'project.edit']);
  return { world, home, other, component, links, both };
}

describe('createLink', () => {
  it('a link is stored with its event before it is announced', async () => {
    const { world, other, component, links, both } = await start();
    await createLink(world.deps, both, component.id, 'other');
    expect(await links()).toEqual([other.id]);
    expect(world.effects.list).toEqual([
      `store component ${component.id} (componentUpdated)`,
      `announce nodes ${component.id} (componentUpdated)`,
    ]);
    expect(world.effects.payloads('componentUpdated')).toMatchObject([{ changed: ['links'] }]);
  });

  it('linking twice leaves one link', async () => {
    const { world, other, component, links, both } = await start();
    await createLink(world.deps, both, component.id, 'other');
    await createLink(world.deps, both, component.id, 'other');
    expect(await links()).toEqual([other.id]);
  });

  it('two links that are created concurrently are both kept', async () => {
    const { world, other, component, links, both } = await start();
    const third = await world.project('third');
    world.rival.beforeNextWrite(async () => void (await createLink(world.deps, both, component.id, 'third')));
    await createLink(world.deps, both, component.id, 'other');
    expect(await links()).toEqual([third.id, other.id]);
  });

  it('createLink refuses missing and hidden projects, the own one, and projects that the caller may not edit', async () => {
    const { world, home, component } = await start();
    await world.project('closed', { accessControl: 100 });
    const editor = world.member(['component.edit', 'project.edit'], [home.id]);
    const link = (slug: string | undefined) => fieldsOf(createLink(world.deps, editor, component.id, slug));
    expect(await link('')).toEqual(['project_slug:required']);
    expect(await link('missing')).toEqual(['project_slug:does_not_exist']);
    expect(await link('closed')).toEqual(['project_slug:does_not_exist']);
    expect(await link('home')).toEqual(['project_slug:invalid']);
    expect(await link('other')).toEqual(['project_slug:permission_denied']);
  });

  it('linking requires component.edit on the component', async () => {
    const { world, component } = await start();
    expect(await reasonOf(createLink(world.deps, world.member(['project.edit']), component.id, 'other'))).toBe(
      'PERMISSION_DENIED',
    );
  });
});

describe('the end of a link', () => {
  it('either side can end a link', async () => {
    const { world, home, other, component, links, both } = await start();
    for (const side of [
      () => deleteLink(world.deps, world.member(['component.edit'], [home.id]), component.id, 'other'),
      () => deleteLink(world.deps, world.member(['project.edit'], [other.id]), component.id, 'other'),
      () => deleteShared(world.deps, world.member(['project.edit'], [other.id]), other.id, component.id),
    ]) {
      await createLink(world.deps, both, component.id, 'other');
      await side();
      expect(await links()).toEqual([]);
    }
  });

  it('others cannot end it, and a missing link does not exist', async () => {
    const { world, other, component, both } = await start();
    expect(await reasonOf(deleteLink(world.deps, both, component.id, 'other'))).toBe('NOT_FOUND');
    expect(await reasonOf(deleteShared(world.deps, both, other.id, component.id))).toBe('NOT_FOUND');
    await createLink(world.deps, both, component.id, 'other');
    const reader = world.member(['unit.edit']);
    expect(await reasonOf(deleteLink(world.deps, reader, component.id, 'other'))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(deleteShared(world.deps, reader, other.id, component.id))).toBe('PERMISSION_DENIED');
  });
});

describe('lists of links', () => {
  it('the projects that show a component are listed as far as the caller sees them', async () => {
    const { world, other, component, both } = await start();
    const closed = await world.project('closed', { accessControl: 100 });
    await createLink(world.deps, both, component.id, 'closed');
    await createLink(world.deps, both, component.id, 'other');
    const ids = async (context = world.admin) =>
      (await listLinks(world.deps, context, component.id, page)).items.map((p) => p.id);
    expect(await ids()).toEqual([other.id, closed.id]);
    expect(await ids(world.anonymous)).toEqual([other.id]);
  });

  it('the admins of a project see every component that it shows, also hidden ones', async () => {
    const { world, other } = await start();
    const closed = await world.project('closed', { accessControl: 100 });
    const secret = await world.component(closed.id, 'secret', {}, { links: [other.id] });
    const admin = world.member(['project.edit'], [other.id]);
    const { items } = await listShared(world.deps, admin, other.id, page);
    expect(items).toMatchObject([{ place: { id: secret.id, path: 'secret' }, projectName: 'CLOSED' }]);
    expect(await reasonOf(listShared(world.deps, world.member(['unit.edit']), other.id, page))).toBe(
      'PERMISSION_DENIED',
    );
  });
});
