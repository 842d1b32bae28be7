import { createHmac } from 'node:crypto';
import { githubPing, githubPush } from '../../test/payloads';
import { fieldsOf, HooksWorld, reasonOf } from '../../test/support/memory/world';
import { receive, type Received } from './receive';

function start() {
  const world = new HooksWorld();
  const project = world.project(1, 'open');
  world.component(11, project);
  const send = (payload: object = githubPush, more: Partial<Received> = {}, context = world.anonymous) => {
    const raw = Buffer.from(JSON.stringify(payload));
    const headers = { 'x-github-event': 'push', 'x-github-delivery': 'one', ...more.headers };
    const received = { provider: 'github', contentType: 'application/json', raw, sourceAddress: '192.0.2.1', ...more };
    return receive(world.receiving, { ...received, headers }, context);
  };
  return { world, project, send };
}

const signed = (payload: object, secret: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(JSON.stringify(payload)).digest('hex')}`,
});

describe('receive', () => {
  it('a push is stored with its pulls before they are published', async () => {
    const { world, send } = start();
    const result = await send();
    expect(result).toMatchObject({ outcome: 'matched', componentIds: [11], repeated: false, enabledMatches: 1 });
    expect(world.effects).toEqual(['store delivery', 'publish events']);
    const [{ delivery, events }] = world.inbound.stored as [(typeof world.inbound.stored)[0]];
    expect(delivery.pulls).toMatchObject([{ componentId: 11, taskId: result.taskIds[0] }]);
    expect(events.map((e) => e.payloadName)).toEqual(['repositoryPushed', 'changeMade']);
  });

  it('a repeated delivery gets the tasks of the first and pulls nothing again', async () => {
    const { world, send } = start();
    const first = await send();
    const second = await send();
    expect(second).toMatchObject({ repeated: true, taskIds: first.taskIds });
    expect(world.inbound.stored).toHaveLength(1);
  });

  it('the same id with another body is another delivery', async () => {
    const { world, send } = start();
    await send();
    expect(await send({ ...githubPush, after: '0'.repeat(40) })).toMatchObject({ repeated: false });
    expect(world.inbound.stored).toHaveLength(2);
  });

  it('one of two concurrent equal deliveries starts pulls, and both get its tasks', async () => {
    const first = start();
    const { taskIds } = await first.send();
    const second = start();
    second.world.inbound.rival = first.world.inbound.stored[0]!.delivery;
    expect(await second.send()).toMatchObject({ repeated: true, taskIds });
    expect(second.world.effects).toEqual([]);
  });

  it('a signed body that is replayed under a new id is recognized', async () => {
    const { world, project, send } = start();
    world.matches = [];
    world.component(11, project, { secret: 'shared' });
    const headers = signed(githubPush, 'shared');
    await send(githubPush, { headers });
    const replayed = { headers: { ...headers, 'x-github-delivery': 'two' } };
    expect(await send(githubPush, replayed)).toMatchObject({ repeated: true });
    expect(world.inbound.stored).toHaveLength(1);
  });

  it('a project with a secret accepts signed deliveries only', async () => {
    const { world, project, send } = start();
    world.matches = [];
    world.component(11, project, { secret: 'shared' });
    expect(await reasonOf(send())).toBe('PERMISSION_DENIED');
    expect(await reasonOf(send(githubPush, { headers: signed(githubPush, 'wrong') }))).toBe('PERMISSION_DENIED');
    expect(world.inbound.stored).toEqual([]);
    expect(await reasonOf(send(githubPush, { headers: signed(githubPush, 'shared') }))).toBe('OK');
  });

  it('hidden components are pulled, but the sender learns about them only with the secret or the right to see them', async () => {
    const { world, send } = start();
    const closed = world.project(2, 'closed', { accessControl: 100 });
    world.component(21, closed);
    expect(await send()).toMatchObject({ componentIds: [11], repositoryMatches: 1 });
    expect(world.inbound.stored[0]!.delivery.pulls.map((p) => p.componentId)).toEqual([11, 21]);
    expect(await send({ ...githubPush, forced: true }, {}, world.admin)).toMatchObject({ componentIds: [11, 21] });
  });

  it('a push of another branch and a project that accepts no hooks start nothing', async () => {
    const { world, project, send } = start();
    expect(await send({ ...githubPush, ref: 'refs/heads/other' })).toMatchObject({
      outcome: 'nothing',
      branchMatches: 0,
    });
    world.matches = [];
    world.component(11, project, { enabled: false });
    expect(await send()).toMatchObject({ outcome: 'nothing', branchMatches: 1, enabledMatches: 0 });
    expect(world.effects).toEqual([]);
  });

  it('a ping starts nothing', async () => {
    const { world, send } = start();
    expect(await send(githubPing, { headers: { 'x-github-event': 'ping' } })).toMatchObject({ outcome: 'ping' });
    expect(world.effects).toEqual([]);
  });

  it('receive refuses unknown providers, encodings and types, broken bodies and payloads without a repository', async () => {
    const { world, send } = start();
    expect(await reasonOf(send(githubPush, { provider: 'none' }))).toBe('NOT_FOUND');
    expect(await reasonOf(send(githubPush, { headers: { 'content-encoding': 'gzip' } }))).toBe(
      'UNSUPPORTED_MEDIA_TYPE',
    );
    expect(await reasonOf(send(githubPush, { contentType: 'text/csv' }))).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await reasonOf(send(githubPush, { raw: Buffer.from('{') }))).toBe('PARSE_ERROR');
    expect(await fieldsOf(send({ ref: 'refs/heads/main' }))).toEqual(['payload:invalid']);
    const off = { ...world.receiving, enabled: false };
    const received = { provider: 'github', headers: {}, contentType: '', raw: Buffer.alloc(0), sourceAddress: '' };
    expect(await reasonOf(receive(off, received, world.anonymous))).toBe('METHOD_NOT_ALLOWED');
  });
});
