import type { OutgoingEvent } from '@parlance/events';
import { reasonOf, UseCaseWorld } from '../../../test/support/memory/world';
import type { Project } from '../../domain/objects';
import type { ProjectRestoreStore } from '../../domain/ports';
import { abandonProjectRestore, beginProjectRestore, finishProjectRestore } from './restore-project';

/** A restore in memory. */
class Restores implements ProjectRestoreStore {
  current = 0;
  abandoned = 0;
  project: Pick<Project, 'settings'> | null = null;
  hidden: number[] = [];
  shown: string[] = [];

  state = async () => ({ current: this.current, abandoned: this.abandoned });
  begin = async (project: number) => {
    this.current = project;
    this.project = null;
  };
  end = async (abandoned: number) => {
    this.current = 0;
    if (abandoned > 0) this.abandoned = abandoned;
  };
  loaded = async () => this.project;
  components = async () => this.hidden;
  show = async (events: readonly OutgoingEvent[]) => {
    this.shown = events.map(({ payloadName }) => payloadName);
  };
}

function start() {
  const world = new UseCaseWorld();
  const restores = new Restores();
  const published: OutgoingEvent[] = [];
  const publish = async (event: OutgoingEvent) => published.push(event);
  return { world, restores, published, deps: { ...world.deps, restores, publish } };
}

const lost = { id: 77, slug: 'lost', name: 'Lost' };

describe('the restore of a project', () => {
  it('a restore begins under a new id', async () => {
    const { deps, restores, published } = start();
    const begun = await beginProjectRestore(deps, lost);
    expect(begun).toEqual({ projectId: restores.current, abandonedId: 0 });
    expect(begun.projectId).not.toBe(lost.id);
    expect(published).toEqual([]);
  });

  it('a project that exists, and a project whose slug or name is taken, are not restored', async () => {
    const { world, deps, restores } = start();
    const { id } = await world.project('acme');
    const messageOf = (project: typeof lost) =>
      beginProjectRestore(deps, project).catch((error: Error) => error.message);
    expect(await messageOf({ ...lost, id })).toContain('The project still exists, with the slug "acme"');
    expect(await messageOf({ ...lost, slug: 'acme' })).toContain('Another project has the slug "acme"');
    const { name } = (await world.projects.get(id))!.settings;
    expect(await messageOf({ ...lost, name })).toContain(`Another project has the name "${name}"`);
    expect(restores.current).toBe(0);
  });

  it('an interrupted restore is deleted before the next one, which waits for it', async () => {
    const { deps, published } = start();
    const { projectId } = await beginProjectRestore(deps, lost);
    const again = await beginProjectRestore(deps, lost);
    expect(again.abandonedId).toBe(projectId);
    expect(again.projectId).not.toBe(projectId);
    expect(published).toMatchObject([{ payloadName: 'projectDeleted', payload: { projectId } }]);
  });

  it('an interrupted restore that had shown the project is kept', async () => {
    const { world, deps, restores, published } = start();
    const { id } = await world.project('acme');
    restores.current = id;
    await abandonProjectRestore(deps, id);
    expect(restores).toMatchObject({ current: 0, abandoned: 0 });
    expect(published).toEqual([]);
  });

  it('a loaded project is shown with an event for each component and no task', async () => {
    const { world, deps, restores } = start();
    const { projectId } = await beginProjectRestore(deps, lost);
    expect(await reasonOf(finishProjectRestore(deps, projectId))).toBe('FAILED_PRECONDITION');
    const { id } = await world.project('acme');
    restores.project = (await world.projects.get(id))!;
    restores.hidden = [5, 6];
    await finishProjectRestore(deps, projectId);
    expect(restores.shown).toEqual(['projectCreated', 'componentCreated', 'componentCreated']);
    expect(restores.current).toBe(0);
    expect(world.effects.list.at(-1)).toBe(
      `announce projects ${projectId} (projectCreated, componentCreated, componentCreated)`,
    );
  });
});
