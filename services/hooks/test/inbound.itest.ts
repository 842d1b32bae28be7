import { createHmac, randomUUID } from 'node:crypto';
import type { hooks } from '@parlance/contracts';
import { newEvent } from '@parlance/events';
import { chunks } from '@parlance/grpc-kit';
import { makeModels } from '../src/store/models';
import { openStore } from '@parlance/store-kit';
import { MongoInboundStore } from '../src/store/inbound-store';
import { githubPing, githubPush, giteaPush } from './payloads';
import { admin, anonymous, member, startWorld, type World } from './support/world';

const open = { id: 1, slug: 'open' };
const closed = { id: 2, slug: 'closed', private: true, secret: 'It is a Secret to Everybody' };
const components = [
  { id: 11, project: open, path: 'app', repo: 'https://github.com/octo-org/octo-repo.git', branch: 'main' },
  {
    id: 12,
    project: open,
    path: 'docs/manual',
    repo: 'https://git.example.com/mirrors/octo-org/octo-repo.git',
    branch: 'main',
  },
  { id: 13, project: open, path: 'next', repo: 'https://github.com/octo-org/octo-repo.git', branch: 'next' },
  {
    id: 14,
    project: { id: 3, slug: 'deaf', enableHooks: false },
    path: 'app',
    repo: 'https://github.com/octo-org/octo-repo.git',
    branch: 'main',
  },
  { id: 21, project: closed, path: 'inside', repo: 'http://localhost:3000/gitea/webhooks.git', branch: 'develop' },
];

let world: World;
beforeEach(async () => {
  world = await startWorld(components);
});
afterEach(() => world.stop());

interface Sent {
  provider?: string;
  headers?: Record<string, string>;
  contentType?: string;
  body?: string | Buffer;
  as?: string;
}

function send({
  provider = 'github',
  headers = {},
  contentType = 'application/json',
  body = JSON.stringify(githubPush),
  as = anonymous,
}: Sent) {
  async function* requests(): AsyncGenerator<hooks.ReceiveRequest> {
    yield { header: { provider, headers, contentType, sourceAddress: '192.0.2.7' } };
    for (const chunk of chunks(Buffer.from(body))) yield { chunk };
  }
  return world.client.receive(requests(), { as });
}

const push = { 'x-github-event': 'push' };

describe('inbound pushes', () => {
  it('a push updates components that match by address or name and branch and accept hooks', async () => {
    const answer = await send({ headers: { ...push, 'x-github-delivery': randomUUID() } });
    expect(answer).toMatchObject({
      outcome: 'OUTCOME_MATCHED',
      repositoryMatches: 4,
      branchMatches: 3,
      enabledHookMatches: 2,
      updatedComponentIds: [11, 12],
      message: 'Updating open/app, open/docs/manual.',
      repeatedDelivery: false,
    });
    expect(new Set(answer.taskIds).size).toBe(2);
    const { pushed, changes } = await world.announced();
    expect(pushed).toHaveLength(1);
    expect(pushed[0]).toMatchObject({ componentIds: [11, 12], taskIds: answer.taskIds });
    expect(changes.map((c) => [c.action, c.projectId, c.componentId])).toEqual([
      [53, 1, 11],
      [53, 1, 12],
    ]);
    expect(JSON.parse(changes[0]!.detailsJson)).toEqual({
      service: 'GitHub',
      branch: 'main',
      full_name: 'octo-org/octo-repo',
    });
  });

  it('a push can be sent as a form', async () => {
    const form = {
      headers: push,
      contentType: 'application/x-www-form-urlencoded',
      body: `payload=${encodeURIComponent(JSON.stringify(githubPush))}`,
    };
    expect(await send(form)).toMatchObject({ outcome: 'OUTCOME_MATCHED', updatedComponentIds: [11, 12] });
  });

  it('a repeated delivery gets the same response and starts no pull', async () => {
    const headers = { ...push, 'x-github-delivery': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => send({ headers })));
    answers.push(await send({ headers }));
    expect(new Set(answers.map((a) => a.taskIds.join())).size).toBe(1);
    expect(answers.filter((a) => !a.repeatedDelivery)).toHaveLength(1);
    expect((await world.announced()).pushed).toHaveLength(1);
    // The same id with another body is another delivery.
    const other = await send({ headers, body: JSON.stringify({ ...githubPush, after: 'f'.repeat(40) }) });
    expect(other).toMatchObject({ repeatedDelivery: false, updatedComponentIds: [11, 12] });
  });

  it('repeated pushes within seconds all request a pull and share one history entry', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        send({ headers: push, body: JSON.stringify({ ...githubPush, after: String(i).repeat(40) }) }),
      ),
    );
    expect(answers.map((a) => a.updatedComponentIds)).toEqual(answers.map(() => [11, 12]));
    const { pushed, changes } = await world.announced();
    expect(pushed).toHaveLength(6);
    expect(changes.map((c) => c.componentId).sort()).toEqual([11, 12]);
  });

  it('a push without a match reports how far it matched', async () => {
    const to = (ref: string) => send({ headers: push, body: JSON.stringify({ ...githubPush, ref }) });
    expect(await to('refs/heads/unknown')).toMatchObject({
      outcome: 'OUTCOME_NOTHING',
      repositoryMatches: 4,
      branchMatches: 0,
      enabledHookMatches: 0,
      updatedComponentIds: [],
    });
    expect(await to('refs/tags/v1')).toMatchObject({ outcome: 'OUTCOME_NOTHING' });
    const repository = { name: 'x', owner: { login: 'y' } };
    expect(await send({ headers: push, body: JSON.stringify({ ref: 'refs/heads/main', repository }) })).toMatchObject({
      outcome: 'OUTCOME_NOTHING',
      repositoryMatches: 0,
    });
    expect((await world.announced()).pushed).toHaveLength(0);
  });

  it('a stored delivery is processed even if the process dies afterwards', async () => {
    const mongo = await openStore(world.options.mongodbUri, makeModels);
    try {
      const event = newEvent('hooks', 'repositoryPushed', { componentIds: [11], taskIds: ['t'], deliveryId: 'd' }, 'd');
      const rest = {
        provider: 'github',
        providerDeliveryId: '',
        fingerprint: '',
        sourceAddress: '',
        branches: [],
        fullName: '',
        repositoryMatches: 1,
        branchMatches: 1,
        enabledMatches: 1,
        pulls: [],
      };
      await new MongoInboundStore(mongo.models).add({ id: 'd', receivedMs: Date.now(), ...rest }, [event]);
    } finally {
      await mongo.close();
    }
    await world.relayOnce(-1);
    expect((await world.announced()).pushed).toMatchObject([{ deliveryId: 'd', componentIds: [11] }]);
    expect(await world.relayOnce(-1)).toBe(0);
  });
});

describe('a ping', () => {
  it('a ping is answered without an effect', async () => {
    expect(await send({ headers: { 'x-github-event': 'ping' }, body: JSON.stringify(githubPing) })).toMatchObject({
      outcome: 'OUTCOME_PING',
      repositoryMatches: 0,
      updatedComponentIds: [],
    });
  });
});

describe("a project's secret", () => {
  const body = JSON.stringify(giteaPush);
  const signature = createHmac('sha256', closed.secret).update(body).digest('hex');
  const gitea = (headers: Record<string, string>, as?: string) =>
    send({ provider: 'gitea', headers: { 'x-gitea-event': 'push', ...headers }, body, as });

  const wrong = { 'x-gitea-signature': signature.replace(/./, (c) => (c === '0' ? '1' : '0')) };
  const restart = async (...known: Parameters<typeof startWorld>[0]) => {
    await world.stop();
    world = await startWorld(known);
  };
  const inside = components[4]!;

  it('the secret of a project must be proved', async () => {
    await restart({ ...inside, project: { ...closed, private: false } });
    await expect(gitea({})).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
    await expect(gitea(wrong)).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
    expect((await world.announced()).pushed).toHaveLength(0);
    expect(await gitea({ 'x-gitea-signature': signature })).toMatchObject({
      outcome: 'OUTCOME_MATCHED',
      updatedComponentIds: [21],
    });
  });

  it('a signed body is accepted once a day, whatever the id and form of its repetition', async () => {
    const signed = { 'x-gitea-event': 'push', 'x-gitea-signature': signature };
    const first = await gitea({ ...signed, 'x-gitea-delivery': randomUUID() });
    expect(first).toMatchObject({ repeatedDelivery: false, updatedComponentIds: [21] });
    const again = await gitea({ ...signed, 'x-gitea-delivery': randomUUID() });
    expect(again).toMatchObject({ repeatedDelivery: true, taskIds: first.taskIds });
    const headers = { ...signed, 'x-gitea-delivery': randomUUID() };
    const form = { contentType: 'application/x-www-form-urlencoded', body: `payload=${encodeURIComponent(body)}&x=1` };
    expect(await send({ provider: 'gitea', headers, ...form })).toMatchObject({ repeatedDelivery: true });
    const forgejo = { 'x-forgejo-event': 'push', 'x-forgejo-signature': signature };
    expect(await send({ provider: 'forgejo', headers: forgejo, body })).toMatchObject({ repeatedDelivery: true });
    expect((await world.announced()).pushed).toHaveLength(1);
    // A replay without the secret reveals nothing.
    expect(await gitea({ ...signed, 'x-gitea-signature': 'f'.repeat(64) })).toMatchObject({
      outcome: 'OUTCOME_NOTHING',
      repeatedDelivery: false,
      taskIds: [],
    });
  });

  it('the signature requirement of a private project is not disclosed', async () => {
    const answers = [await gitea({}), await gitea(wrong)];
    expect((await world.announced()).pushed).toHaveLength(0);
    expect(await gitea({ 'x-gitea-signature': signature })).toMatchObject({
      outcome: 'OUTCOME_MATCHED',
      repositoryMatches: 1,
      branchMatches: 1,
      enabledHookMatches: 1,
      updatedComponentIds: [21],
    });
    // The same response as without such a component.
    await restart();
    const unknown = await gitea({});
    expect(unknown).toMatchObject({ outcome: 'OUTCOME_NOTHING', repositoryMatches: 0, branchMatches: 0 });
    expect(answers).toEqual([unknown, unknown]);
  });

  it('a private project without a secret changes neither the response to strangers nor the pulls', async () => {
    const secretless = { ...inside, project: { ...closed, secret: '' } };
    const neighbour = { ...inside, id: 22, project: open, path: 'beside' };
    const guarded = { ...inside, id: 23, project: { id: 4, slug: 'guarded', secret: 'x' }, path: 'app' };
    for (const public_ of [[], [neighbour], [{ ...neighbour, branch: 'other' }], [guarded]]) {
      const response = () =>
        gitea({ 'x-gitea-delivery': 'd' }).then(
          ({ taskIds, ...rest }) => ({ ...rest, tasks: taskIds.length }),
          (error: unknown) => (error as { reason: string }).reason,
        );
      await restart(...public_);
      const without = [await response(), await response()];
      await restart(secretless, ...public_);
      expect([await response(), await response()]).toEqual(without);
      expect((await world.announced()).pushed.flatMap((p) => p.componentIds)).toContain(21);
    }
    await restart(secretless);
    expect(await gitea({}, admin)).toMatchObject({ updatedComponentIds: [21], message: 'Updating closed/inside.' });
  });
});

describe('invalid notifications', () => {
  it.each([
    [{ provider: 'sourceforge' }, 'NOT_FOUND'],
    [{ provider: '__proto__' }, 'NOT_FOUND'],
    [{ body: '{"ref":' }, 'PARSE_ERROR'],
    [{ body: '' }, 'PARSE_ERROR'],
    [{ contentType: 'text/plain' }, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ provider: 'sourceforge', contentType: 'text/plain' }, 'NOT_FOUND'],
    [{ headers: { ...push, 'content-encoding': 'gzip' } }, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ body: '{}' }, 'INVALID'],
    [{ body: '[]' }, 'INVALID'],
    [{ contentType: 'application/x-www-form-urlencoded', body: 'data=1' }, 'INVALID'],
    [{ headers: push, body: '{"ref":"refs/heads/main"}' }, 'INVALID'],
  ] as [Sent, string][])('an invalid notification is rejected: %j', async (sent, reason) => {
    await expect(send(sent)).rejects.toMatchObject({ reason });
  });

  it('a notification beyond the size limit is rejected', async () => {
    await expect(send({ body: Buffer.alloc(9 * 1024 * 1024, 'x') })).rejects.toMatchObject({ reason: 'TOO_LARGE' });
  });

  it('a notification without a header is rejected', async () => {
    async function* requests(): AsyncGenerator<hooks.ReceiveRequest> {
      yield { chunk: Buffer.from('{}') };
    }
    await expect(world.client.receive(requests(), { as: anonymous })).rejects.toMatchObject({
      reason: 'INVALID',
      problems: [{ attr: 'header' }],
    });
  });
});

describe('switched off', () => {
  it('disabling hooks for the site rejects all notifications', async () => {
    await world.stop();
    world = await startWorld(components, { hooksEnabled: false });
    await expect(send({ headers: push })).rejects.toMatchObject({ reason: 'METHOD_NOT_ALLOWED' });
    await expect(world.client.updateProject({ projectId: 1 }, { as: admin })).rejects.toMatchObject({
      reason: 'METHOD_NOT_ALLOWED',
    });
  });
});

describe('the deprecated addresses', () => {
  it('the deprecated addresses update a project or a component without a token', async () => {
    expect(await world.client.updateProject({ projectId: 1 }, { as: anonymous })).toMatchObject({
      message: 'Updating open.',
      componentIds: [11, 12, 13],
    });
    const one = await world.client.updateComponent({ componentId: 12 }, { as: anonymous });
    expect(one.message).toBe('Updating open/docs/manual.');
    const { pushed } = await world.announced();
    expect(pushed.map((p) => p.componentIds)).toEqual([[11, 12, 13], [12]]);
    expect(pushed[1]!.taskIds).toEqual([one.taskId]);
  });

  it('the deprecated addresses ignore hidden objects and respect switches and secrets', async () => {
    const refused = async (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: { reason: string }) => error.reason,
      );
    expect(await refused(world.client.updateProject({ projectId: 2 }, { as: anonymous }))).toBe('NOT_FOUND');
    expect(await refused(world.client.updateProject({ projectId: 99 }, { as: admin }))).toBe('NOT_FOUND');
    expect(await refused(world.client.updateComponent({ componentId: 21 }, { as: anonymous }))).toBe('NOT_FOUND');
    expect(await refused(world.client.updateComponent({ componentId: 14 }, { as: anonymous }))).toBe(
      'METHOD_NOT_ALLOWED',
    );
    expect(await refused(world.client.updateComponent({ componentId: 0 }, { as: anonymous }))).toBe('INVALID');
    expect(await refused(world.client.updateProject({ projectId: 2 }, { as: admin }))).toBe('done');
    await world.stop();
    world = await startWorld([{ ...components[0]!, project: { ...open, secret: 'x' } }]);
    expect(await refused(world.client.updateProject({ projectId: 1 }, { as: anonymous }))).toBe('PERMISSION_DENIED');
  });
});

describe('the list of deliveries', () => {
  it('managers of a project list its deliveries newest first', async () => {
    for (const id of ['one', 'two']) await send({ headers: { ...push, 'x-github-delivery': id } });
    const { deliveries, total } = await world.client.listInboundDeliveries(
      { projectId: 1, page: { pageSize: 1 } },
      { as: admin },
    );
    expect(total).toBe(2);
    expect(deliveries).toMatchObject([
      {
        provider: 'github',
        providerDeliveryId: 'two',
        sourceAddress: '192.0.2.7',
        branch: 'main',
        fullName: 'octo-org/octo-repo',
        componentIds: [11, 12],
      },
    ]);
    await expect(world.client.listInboundDeliveries({ projectId: 1 }, { as: member })).rejects.toMatchObject({
      reason: 'PERMISSION_DENIED',
    });
    await expect(world.client.listInboundDeliveries({ projectId: 2 }, { as: member })).rejects.toMatchObject({
      reason: 'NOT_FOUND',
    });
  });
});
