import { ChangeAction } from '@parlance/contracts';
import { encodeEvent } from '@parlance/events';
import type { Addon } from '../domain/objects';
import { UseCaseWorld } from '../../test/support/memory/world';
import {
  addonChanged,
  change,
  componentCreated,
  componentDeleted,
  componentUpdated,
  projectCreated,
  projectDeleted,
  projectUpdated,
} from './events';

async function withComponent() {
  const world = new UseCaseWorld();
  const project = await world.project('web', { accessControl: 100, translationReview: true });
  const component = await world.component(project.id, 'site', {}, { taskId: 'task' });
  return { member: world.member([]), project, component };
}

const addonOf = (given: Partial<Addon>) => ({ id: 4, name: 'parlance.json.customize', ...given }) as Addon;

describe('catalog events', () => {
  it('a change of a component names its project and is ordered with the component', async () => {
    const { member, component } = await withComponent();
    const details = { reason: 'x' };
    const event = change(member, {
      action: ChangeAction.componentLocked,
      component,
      target: 'now',
      old: 'before',
      details,
    });
    expect(event).toMatchObject({
      source: 'catalog',
      payloadName: 'changeMade',
      key: String(component.id),
      payload: {
        action: ChangeAction.componentLocked,
        projectId: component.projectId,
        componentId: component.id,
        userId: 7,
        authorId: 7,
        target: 'now',
        old: 'before',
        detailsJson: '{"reason":"x"}',
      },
    });
  });

  it('a change of a project is ordered apart from a component with the same id', async () => {
    const { member, component } = await withComponent();
    const event = change(member, { action: ChangeAction.announcementPosted, projectId: component.id });
    expect(event.key).toBe(`p${component.id}`);
    expect(event.payload).toMatchObject({ projectId: component.id, componentId: 0, target: '', detailsJson: '{}' });
    expect(change(member, { action: ChangeAction.languageAdded }).key).toBe('p0');
  });

  it('events of a project carry its visibility and reviews, the first one its creator', async () => {
    const { member, project } = await withComponent();
    const state = {
      projectId: project.id,
      slug: 'web',
      accessControl: 100,
      translationReview: true,
      sourceReview: false,
    };
    expect(projectCreated(member, project)).toMatchObject({
      payloadName: 'projectCreated',
      key: String(project.id),
      payload: { ...state, userId: 7 },
    });
    const changed = ['name'];
    expect(projectUpdated(project, changed).payload).toEqual({ ...state, changed });
    expect(projectDeleted(project).payload).toEqual({ projectId: project.id, slug: 'web' });
  });

  it('events of a component name its background task, the user and the changed settings', async () => {
    const { member, component } = await withComponent();
    const { id, projectId } = component;
    expect(componentCreated(member, component)).toMatchObject({
      key: String(id),
      payload: { componentId: id, projectId, taskId: 'task', userId: 7 },
    });
    // The task of an update is that of the update, not of the component's creation.
    expect(componentUpdated(member, component, ['branch']).payload).toMatchObject({ changed: ['branch'], taskId: '' });
    expect(componentUpdated(member, component, ['branch'], 'pull').payload).toMatchObject({ taskId: 'pull' });
    expect(componentDeleted({ id, projectId, isGlossary: true }).payload).toEqual({
      componentId: id,
      projectId,
      isGlossary: true,
    });
  });

  it('events of an add-on are ordered with its component, its project, or the site', async () => {
    const { member } = await withComponent();
    const keyOf = (given: Partial<Addon>) => addonChanged(member, addonOf(given), false).key;
    expect(keyOf({ componentId: 9, projectId: 2 })).toBe('9');
    expect(keyOf({ componentId: 0, projectId: 2 })).toBe('p2');
    expect(keyOf({ componentId: 0, projectId: 0 })).toBe('p0');
    expect(addonChanged(member, addonOf({ componentId: 9, projectId: 2 }), true).payload).toMatchObject({
      addonId: 4,
      removed: true,
      userId: 7,
    });
  });

  it('every event is valid by the contract, and ids are unique', async () => {
    const { member, project, component } = await withComponent();
    const events = [
      change(member, { action: ChangeAction.componentLocked, component }),
      projectCreated(member, project),
      projectUpdated(project, ['slug']),
      projectDeleted(project),
      componentCreated(member, component),
      componentUpdated(member, component, []),
      componentDeleted({ ...component, isGlossary: false }),
      addonChanged(member, addonOf({ componentId: 9, projectId: 2 }), false),
    ];
    for (const event of events) expect(encodeEvent(event).length).toBeGreaterThan(0);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });
});
