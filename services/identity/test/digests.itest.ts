import type { RunningServer } from '@parlance/grpc-kit';
import { start, type Running } from './support/running';
import { MailServer, standIn } from './support/stand-ins';

let running: Running;
let mailServer: MailServer;
const rooms: RunningServer[] = [];
/** History of the stand-in. */
const history: { action: number; timeMs: number; target: string }[] = [];
/** A Saturday, followed by a Sunday, a Monday and the first of a month; in the future, so that the store does not expire mails. */
let now = Date.parse('2099-11-28T10:00:00Z');

beforeAll(async () => {
  mailServer = await MailServer.start();
  rooms.push(
    await standIn('catalog', {
      batchGetProjects: () => Promise.resolve({ projects: [{ id: 7, name: 'App', slug: 'app', accessControl: 0 }] }),
      batchGetComponents: () => Promise.resolve({ components: [{ id: 70, projectId: 7, name: 'Main', path: 'main' }] }),
      listHidden: () => Promise.resolve({}),
    }),
    await standIn('translation', {
      listChanges: (request) =>
        Promise.resolve({
          changes: history
            .filter(
              (c) => request.actions.includes(c.action) && c.timeMs >= request.afterMs && c.timeMs <= request.beforeMs,
            )
            .map((c, id) => ({ ...c, id, userId: 0, projectId: 7, componentId: 70, languageCode: 'cs' })),
        }),
    }),
    await standIn('statistics', {
      getCounters: () =>
        Promise.resolve({
          counters: [{ all: { strings: 20 }, translated: { strings: 8 }, suggestions: { strings: 3 } }],
        }),
    }),
  );
  const [catalog, translation, statistics] = rooms;
  running = await start(
    {
      CATALOG_ADDRESS: `127.0.0.1:${catalog!.port}`,
      TRANSLATION_ADDRESS: `127.0.0.1:${translation!.port}`,
      STATISTICS_ADDRESS: `127.0.0.1:${statistics!.port}`,
      PARLANCE_SMTP_URL: mailServer.url,
    },
    () => now,
  );
});

afterAll(async () => {
  await running.stop();
  for (const room of rooms) await room.drain(15_000);
  await mailServer.stop();
});

async function subscriber(username: string, notification: string, frequency: number): Promise<void> {
  const { identity, operator } = running;
  const { user } = await identity.createUser(
    { username, fullName: username, email: `${username}@example.org` },
    operator,
  );
  const subscription = { userId: user!.id, notification, scope: 30, projectId: 7, frequency };
  await identity.createSubscription(subscription, operator);
}

/** Advances the clock and runs due work; returns the resulting mails by recipient. */
async function until(time: string, count: number): Promise<Record<string, string>> {
  now = Date.parse(time);
  const before = mailServer.mails.length;
  while (mailServer.mails.length < before + count) await running.service.notify();
  // A further round sends no further mail.
  await running.service.notify();
  return Object.fromEntries(
    mailServer.mails.slice(before).map((mail) => [/^To: (\w+)@/m.exec(mail)![1]!, mail.replaceAll('\r\n', '\n')]),
  );
}

it('digests collect changes until the next midnight, Monday or first of a month, and are sent once', async () => {
  await subscriber('daily', 'TranslatedStringNotificaton', 2);
  await subscriber('weekly', 'TranslatedStringNotificaton', 3);
  await subscriber('monthly', 'TranslatedStringNotificaton', 4);
  await subscriber('todo', 'ToDoStringsNotification', 2);
  await running.service.notify();
  for (const [minutes, target] of [
    [1, 'Ahoj'],
    [30, 'Sbohem'],
  ] as const)
    history.push({ action: 2, timeMs: now + minutes * 60_000, target });
  expect(await until('2099-11-28T23:59:00Z', 0)).toEqual({});

  const sunday = await until('2099-11-29T00:01:00Z', 2);
  expect(Object.keys(sunday).sort()).toEqual(['daily', 'todo']);
  expect(sunday['daily']).toContain('Subject: [Parlance] String translated: daily digest (2)');
  expect(sunday['daily']).toMatch(/Ahoj[^]*Sbohem/);
  expect(sunday['todo']).toContain('daily digest (1)');
  expect(sunday['todo']).toContain('App: 12');

  const monday = await until('2099-11-30T00:01:00Z', 2);
  expect(Object.keys(monday).sort()).toEqual(['todo', 'weekly']);
  expect(monday['weekly']).toContain('weekly digest (2)');

  const first = await until('2099-12-01T00:01:00Z', 2);
  expect(Object.keys(first).sort()).toEqual(['monthly', 'todo']);
  expect(first['monthly']).toContain('monthly digest (2)');
  const { mails } = await running.identity.listMails({}, running.operator);
  expect(mails.map((mail) => mail.state)).toEqual(mails.map(() => 'MAIL_STATE_SENT'));
});
