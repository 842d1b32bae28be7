import type { Client } from '@parlance/grpc-kit';
import { MemoryProjectsClient } from './memory-projects-client';

/** Projects of a catalog that records the generations of its calls. */
function start() {
  const asked: string[] = [];
  const project = { id: 2, slug: 'app', useSharedTm: false };
  const state = { available: true };
  const client = {
    getProject: async (_request: unknown, { catalogGeneration }: { catalogGeneration: string }) => {
      asked.push(catalogGeneration);
      if (!state.available) throw new Error('unavailable');
      return { project: { ...project } };
    },
  } as unknown as Client<'catalog'>;
  return { asked, project, state, projects: new MemoryProjectsClient(client, () => 'token') };
}

describe('MemoryProjectsClient', () => {
  it('a project is read once for each generation, which the catalog receives', async () => {
    const { asked, projects } = start();
    for (const generation of ['a', 'a', 'b', 'b']) await projects.get(2, generation);
    expect(asked).toEqual(['a', 'b']);
  });

  it('a write of another replica, which replaces the generation, is visible to the next request', async () => {
    const { project, projects } = start();
    expect(await projects.get(2, 'a')).toMatchObject({ useShared: false });
    project.useSharedTm = true;
    expect(await projects.get(2, 'b')).toMatchObject({ useShared: true });
  });

  it('a read without a generation is not cached', async () => {
    const { asked, projects } = start();
    await projects.get(2);
    await projects.get(2, 'a');
    await projects.get(2);
    expect(asked).toEqual(['', 'a', '']);
  });

  it('a failed read is repeated', async () => {
    const { state, projects } = start();
    state.available = false;
    await expect(projects.get(2, 'a')).rejects.toThrow('unavailable');
    state.available = true;
    expect(await projects.get(2, 'a')).toMatchObject({ slug: 'app' });
  });
});
