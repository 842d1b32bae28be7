import { newEvent } from '@parlance/events';
import type { RunningServer } from '@parlance/grpc-kit';
import { principalOf, start, type Running } from './support/running';
import { MailServer, standIn } from './support/stand-ins';

let running: Running;
let mailServer: MailServer;
const rooms: RunningServer[] = [];
/** History of the stand-in. */
const history: { action: number; timeMs: number; userId: number; target: string }[] = [];

beforeAll(async () => {
  mailServer = await MailServer.start();
  const project = { id: 7, name: 'App', slug: 'app', accessControl: 0 };
  const catalog = await standIn('catalog', {
    batchGetProjects: () => Promise.resolve({ projects: [project] }),
    batchGetComponents: () => Promise.resolve({ components: [{ id: 70, projectId: 7, name: 'Main', path: 'main' }] }),
    listComponentLists: () =>
      Promise.resolve({
        componentLists: [
          {
            id: 3,
            components: [
              { id: 70, projectId: 7 },
              { id: 71, projectId: 7 },
            ],
          },
        ],
        total: 1,
      }),
  });
  const translation = await standIn('translation', {
    listChanges: (request) =>
      Promise.resolve({
        changes: history
          .filter(
            (c) => request.actions.includes(c.action) && c.timeMs >= request.afterMs && c.timeMs <= request.beforeMs,
          )
          .map((c, id) => ({ ...c, id, projectId: 7, componentId: 70, languageCode: 'cs' })),
      }),
  });
  const statistics = await standIn('statistics', {});
  rooms.push(catalog, translation, statistics);
  running = await start({
    CATALOG_ADDRESS: `127.0.0.1:${catalog.port}`,
    TRANSLATION_ADDRESS: `127.0.0.1:${translation.port}`,
    STATISTICS_ADDRESS: `127.0.0.1:${statistics.port}`,
    PARLANCE_SMTP_URL: mailServer.url,
    PARLANCE_MAIL_FROM: 'Parlance <l10n@example.org>',
    PARLANCE_PUBLIC_URL: 'https://l10n.example.org',
  });
});

afterAll(async () => {
  await running.stop();
  for (const room of rooms) await room.drain(15_000);
  await mailServer.stop();
});

async function subscriber(username: string, notification: string): Promise<number> {
  const { identity, operator } = running;
  const email = `${username}@example.org`;
  const { user } = await identity.createUser({ username, fullName: 'Ana N', email }, operator);
  await identity.createSubscription({ userId: user!.id, notification, scope: 0, frequency: 1 }, operator);
  return user!.id;
}

/** Runs rounds until this many mails have been sent; the test timeout ends it. */
async function mailed(count: number): Promise<string[]> {
  while (mailServer.mails.length < count) await running.service.notify();
  return mailServer.received(count);
}

describe('notifications', () => {
  it('notifications of events are mailed once', async () => {
    await subscriber('ana', 'MergeFailureNotification');
    const payload = { action: 22, projectId: 7, componentId: 70, target: 'conflict in cs.po' };
    const event = newEvent('vcs-worker', 'changeMade', payload, 70);
    await running.bus.publish(event);
    const [mail] = await mailed(1);
    expect(mail).toContain('To: ana@example.org');
    expect(mail).toContain('From: Parlance <l10n@example.org>');
    expect(mail).toContain('Subject: [Parlance] Repository operation failed');
    expect(mail).toContain('conflict in cs.po');
    const { mails } = await running.identity.listMails({}, running.operator);
    expect(mails).toMatchObject([{ state: 'MAIL_STATE_SENT', to: 'ana@example.org', frequency: 1 }]);
    expect(mails[0]!.body).toContain('https://l10n.example.org/projects/app/main/');
  });

  it('notifications of the history are mailed', async () => {
    await subscriber('bob', 'TranslatedStringNotificaton');
    await running.service.notify();
    const before = mailServer.mails.length;
    // Reading starts some seconds in the past, at the end of the previous window.
    const { reached } = (await running.store
      .collection('progress')
      .findOne({ _id: 'history' as never })) as unknown as { reached: number };
    history.push({ action: 2, timeMs: reached, userId: 0, target: 'Ahoj' });
    const mails = await mailed(before + 1);
    expect(mails.at(-1)).toContain('To: bob@example.org');
    expect(mails.at(-1)).toContain('Ahoj');
  });
});

describe('component lists', () => {
  it('teams with component lists reach the projects that the catalog returns', async () => {
    const { identity, operator } = running;
    const { group } = await identity.createGroup({ name: 'List', projectSelection: 2 }, operator);
    await identity.addGroupAssociation({ groupId: group!.id, componentListId: 3 }, operator);
    await identity.addGroupAssociation({ groupId: group!.id, roleId: 15 }, operator);
    const { user, token } = await identity.createUser({ username: 'lister', fullName: 'L', withToken: true }, operator);
    await identity.addUserToGroup({ userId: user!.id, groupId: group!.id }, operator);
    const caller = await principalOf(running, token);
    expect(caller.grants.find((g) => g.permissions.includes('vcs.push'))).toMatchObject({
      projects: [7],
      languages: [],
    });
  });
});
