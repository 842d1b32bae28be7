import { randomUUID } from 'node:crypto';
import { signCaller, type Grant } from '@parlance/access';
import { isServiceError } from '@parlance/errors';
import { newEvent } from '@parlance/events';
import type { CallOptions } from '@parlance/grpc-kit';
import { SECRET } from './support/stand-in';
import { repositoryPerTest } from './support/repository';
import { pot, texts, type Started, type World } from './support/world';

const reasonOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error: unknown) => (isServiceError(error) ? error.reason : Promise.reject(error as Error)),
  );

/** A caller with these grants. */
const person = (...grants: Grant[]): CallOptions => {
  const plainUser = { email: '', isSuperuser: false, isBot: false, anonymous: false };
  const caller = { ...plainUser, userId: 20, username: 'eve', fullName: 'Eve', grants };
  return { as: signCaller(caller, SECRET, 600_000), timeoutMs: 50_000 };
};

const everything: Grant['permissions'] = [
  'component.edit',
  'vcs.view',
  'vcs.access',
  'vcs.commit',
  'vcs.push',
  'vcs.update',
  'vcs.reset',
  'translation.add',
  'translation.delete',
  'translation.download',
];

describe('a component that uses the repository of another one', () => {
  let world: World;
  let one: Started;
  let owner: number;
  let linked: number;
  const files = {
    'po/app.pot': pot,
    'po/cs.po': texts(),
    'doc/cs.po': texts({ One: '' }),
    'README.md': 'x\n',
    'secrets.txt': 'x\n',
  };
  repositoryPerTest((ground) => {
    ({ world, one, component: owner } = ground);
    linked = owner + 1000;
  }, files);

  async function begin(): Promise<{ both: CallOptions; onlyLinked: CallOptions }> {
    await world.component(one, owner, { newBase: 'po/app.pot', push: world.url });
    await world.component(one, linked, { filemask: 'doc/*.po', newBase: 'po/app.pot', linkedComponentId: owner });
    // Tests read and edit strings of the linked component.
    world.translation.current = linked;
    return {
      both: person({ permissions: everything, projects: [1], components: [owner, linked] }),
      onlyLinked: person({ permissions: everything, projects: [1], components: [linked] }),
    };
  }

  const run = (as: CallOptions, operation: 'OPERATION_COMMIT' | 'OPERATION_PUSH', ...componentIds: number[]) =>
    one.client.runOperation({ operation, componentIds }, as);

  /** Revokes the link, as the catalog does it. */
  async function revoke() {
    const taskId = randomUUID();
    const settings = { linkedComponentId: 0, vcs: 'local', repo: 'local:', branch: 'main' };
    world.catalog.put({ ...world.catalog.components.get(linked)!, ...settings, id: linked });
    const changed = ['vcs', 'repo', 'branch'];
    await world.bus.publish(
      newEvent(
        'catalog',
        'componentUpdated',
        { componentId: linked, projectId: 1, changed, taskId, userId: 7 },
        linked,
      ),
    );
    // The worker learns of the task by event.
    while ((await reasonOf(one.client.getTask({ id: taskId }, world.process))) === 'NOT_FOUND');
    return world.ended(one, taskId);
  }

  it('operations and status of a linked component require the permission on the owner', async () => {
    const { both, onlyLinked } = await begin();
    world.translation.edit('doc/cs.po', 'One', 'jedna', 'Ann');
    for (const operation of ['OPERATION_COMMIT', 'OPERATION_PUSH'] as const)
      expect(await reasonOf(run(onlyLinked, operation, linked))).toBe('PERMISSION_DENIED');
    const status = one.client.getRepositoryStatus({ componentIds: [linked] }, onlyLinked);
    expect(await reasonOf(status)).toBe('PERMISSION_DENIED');
    expect(world.translation.edits).toHaveLength(1);
    expect(await run(both, 'OPERATION_COMMIT', linked)).toMatchObject({ result: true, detail: '' });
    expect(world.translation.edits).toHaveLength(0);
    expect(await reasonOf(one.client.getRepositoryStatus({ componentIds: [linked] }, both))).toBe('OK');
  });

  it('an operation on several components skips those whose owner denies it', async () => {
    const { onlyLinked } = await begin();
    const own = owner + 2000;
    const bases = { newBase: 'po/app.pot' };
    await world.component(one, own, bases);
    const some = person({ permissions: everything, projects: [1], components: [linked, own] });
    const answer = await run(some, 'OPERATION_COMMIT', linked, own);
    expect(answer.result).toBe(true);
    expect(answer.detail).toBe(`c${linked}: left out, vcs.commit is missing on the owner of its repository.`);
    expect(await reasonOf(run(onlyLinked, 'OPERATION_COMMIT', linked))).toBe('PERMISSION_DENIED');
  });

  it("users can read only the component's own files of a shared repository", async () => {
    const { onlyLinked } = await begin();
    const read = async (as: CallOptions, path: string) => {
      for await (const { chunk } of one.client.readFile({ componentId: linked, path }, as)) return chunk.length > 0;
      return false;
    };
    expect(await read(onlyLinked, 'po/app.pot')).toBe(true);
    expect(await read(onlyLinked, 'doc/cs.po')).toBe(true);
    for (const path of ['secrets.txt', 'README.md', 'po/cs.po'])
      expect(await reasonOf(read(onlyLinked, path))).toBe('NOT_FOUND');
    const reader = person({ permissions: ['unit.edit'], projects: [1] });
    expect(await reasonOf(read(reader, 'po/app.pot'))).toBe('PERMISSION_DENIED');
  });

  it('a component moves to a local repository with its files and pending edits when its link is revoked', async () => {
    const { onlyLinked } = await begin();
    world.translation.edit('doc/cs.po', 'One', 'jedna', 'Ann');
    await world.run(one, 'OPERATION_COMMIT', linked);
    world.translation.edit('doc/cs.po', 'Two', 'druhá', 'Ann');
    const translation = world.translation.of('doc/cs.po').id;
    const head = (await world.status(one, owner)).localCommit;
    const task = await revoke();
    expect(task.resultJson).toBe(`{"component":${linked}}`);
    // Committed and pending texts of the component are in its own repository.
    expect(world.translation.of('doc/cs.po').id).toBe(translation);
    expect(world.translation.edits).toEqual([]);
    expect(await world.read(one, linked, 'doc/cs.po')).toBe(texts({ One: 'jedna', Two: 'druhá' }));
    expect(await world.read(one, linked, 'po/app.pot')).toBe(pot);
    // Other files of the shared repository were not copied, and the shared repository was not changed.
    for (const path of ['secrets.txt', 'README.md', 'po/cs.po'])
      expect(await reasonOf(world.read(one, linked, path))).toBe('NOT_FOUND');
    expect((await world.status(one, owner)).localCommit).toBe(head);
    // The component's own permissions apply from now on.
    world.translation.edit('doc/cs.po', 'Three', 'třetí', 'Ann');
    expect(await run(onlyLinked, 'OPERATION_COMMIT', linked)).toMatchObject({ result: true, detail: '' });
    expect(await world.read(one, linked, 'doc/cs.po')).toContain('třetí');
    expect((await world.status(one, owner)).localCommit).toBe(head);
  });

  it('a component has no access to the former repository between the revocation and its move', async () => {
    const { both, onlyLinked } = await begin();
    world.translation.edit('doc/cs.po', 'One', 'jedna', 'Ann');
    const { localCommit } = await world.status(one, owner);
    const settings = { linkedComponentId: 0, vcs: 'local', repo: 'local:', branch: 'main' };
    world.catalog.put({ ...world.catalog.components.get(linked)!, ...settings, id: linked });
    expect(await reasonOf(run(onlyLinked, 'OPERATION_COMMIT', linked))).toBe('PERMISSION_DENIED');
    const add = one.client.addLanguage({ componentId: linked, languageCode: 'fr' }, onlyLinked);
    expect(await reasonOf(add)).toBe('UNAVAILABLE');
    const clone = one.client.uploadPack({ componentId: linked, protocol: 2, advertise: true }, onlyLinked);
    expect(await reasonOf(clone[Symbol.asyncIterator]().next())).toBe('NOT_FOUND');
    // A commit of the owner does not include its edits.
    expect(await run(both, 'OPERATION_COMMIT', owner)).toMatchObject({ result: true });
    expect(world.translation.edits).toHaveLength(1);
    expect((await world.status(one, owner)).localCommit).toBe(localCommit);
  });

  it('members of teams limited to languages can add and delete only those languages', async () => {
    await begin();
    const czech = person({ permissions: everything, projects: [1], languages: ['cs', 'fr'] });
    const add = (languageCode: string) => one.client.addLanguage({ componentId: owner, languageCode }, czech);
    expect(await reasonOf(add('de'))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(add('fr'))).toBe('OK');
    const { translationId } = await one.client.addLanguage({ componentId: owner, languageCode: 'de' }, world.admin);
    const remove = one.client.removeLanguage({ componentId: owner, translationId }, czech);
    expect(await reasonOf(remove)).toBe('PERMISSION_DENIED');
  });
});
