import { aComponent, makeComponent, makeProject, problemsOf, startWorld, type World } from './support/catalog';

let world: World;
beforeAll(async () => {
  world = await startWorld({ PARLANCE_MAX_COMPONENTS: '2', PARLANCE_MAX_ADDONS: '1' });
});
afterAll(() => world.close());

const webhook = {
  name: 'weblate.webhook.webhook',
  configurationJson: '{"webhook_url":"https://example.org/","events":[1]}',
};

it('a project rejects components beyond its quota', async () => {
  const { client, admin } = world;
  const projectId = await makeProject(world, 'full');
  await makeComponent(world, projectId, 'one');
  const second = await makeComponent(world, projectId, 'two');
  const third = () => client.createComponent({ projectId, component: aComponent('three') }, admin);
  expect(await problemsOf(third())).toEqual({ project: 'max_length' });
  await makeComponent(world, await makeProject(world, 'other'), 'three');
  await client.deleteComponent({ id: second.id }, admin);
  expect((await third()).component?.path).toBe('three');
});

it('a component, a project and the site reject add-ons beyond their quota', async () => {
  const { client, admin } = world;
  const projectId = await makeProject(world, 'extended');
  const { id: componentId } = await makeComponent(world, projectId, 'app');
  for (const place of [{ componentId }, { projectId }, {}]) {
    await client.createAddon({ ...place, ...webhook }, admin);
    expect(await problemsOf(client.createAddon({ ...place, ...webhook }, admin))).toEqual({ name: 'max_length' });
  }
});
