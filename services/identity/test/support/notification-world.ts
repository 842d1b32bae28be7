import type { Mail } from '../../src/domain/notifications/mail';
import type { NotifiableChange } from '../../src/domain/notifications/notifiable-change';
import type { ComponentInfo, MailTransport, NotificationContext, ProjectInfo } from '../../src/domain/ports';
import type { Subscription } from '../../src/domain/notifications/subscription';
import type { NotifyDeps } from '../../src/app/notifications/notify';
import { MemoryProgressStore } from './memory-stores';
import { World } from './world';

/** In-memory structure, history and counters of other services. */
export class MemoryNotificationContext implements NotificationContext {
  readonly projects = new Map<number, ProjectInfo>([
    [7, { name: 'App', slug: 'app', accessControl: 100 }],
    [8, { name: 'Web', slug: 'web', accessControl: 0 }],
  ]);
  readonly components = new Map<number, ComponentInfo>([
    [70, { name: 'Main', path: 'main', projectId: 7, restricted: false, reportSourceBugs: '' }],
    [80, { name: 'Site', path: 'cat/site', projectId: 8, restricted: false, reportSourceBugs: 'bugs@example.org' }],
    [81, { name: 'Secret', path: 'secret', projectId: 8, restricted: true, reportSourceBugs: '' }],
  ]);
  changes: NotifiableChange[] = [];
  readonly windows: string[] = [];
  author = 0;
  open = new Map<number, { suggestions: number; todo: number }>();

  describe = () => Promise.resolve({ projects: this.projects, components: this.components });
  lastAuthor = () => Promise.resolve(this.author);
  openWork = (_reader: object, ids: readonly number[]) =>
    Promise.resolve(new Map([...this.open].filter(([id]) => ids.includes(id))));
  history(actions: readonly number[], from: number, to: number): Promise<NotifiableChange[]> {
    this.windows.push(`${from}-${to}`);
    return Promise.resolve(this.changes.filter((c) => actions.includes(c.action) && c.timeMs >= from && c.timeMs < to));
  }
}

/** Dependencies whose other services are unavailable. */
export function unavailable(notifier: NotifyDeps): NotifyDeps {
  const describe = () => Promise.reject(new Error('unavailable'));
  const context = Object.assign(Object.create(notifier.context) as NotificationContext, { describe });
  return { ...notifier, context };
}

/** A world with two projects of other services, and the mails that it makes. */
export async function withNotifications() {
  const world = await World.create();
  const context = new MemoryNotificationContext();
  const notifier: NotifyDeps = { deps: world.deps, context, siteUrl: 'https://l10n.example.org' };
  const person = async (name: string, subscriptions: Partial<Subscription>[]) => {
    const user = await world.user(name, { email: `${name}@example.org` });
    const made = subscriptions.map((s, id) => ({
      id,
      notification: 'NewAlertNotificaton' as const,
      scope: 0 as const,
      frequency: 1 as const,
      projectId: 0,
      componentId: 0,
      ...s,
    }));
    await world.deps.users.update(user.id, (u) => ({ next: { ...u, subscriptions: made }, announce: { audit: [] } }));
    return user;
  };
  const mailsOf = async (userId?: number): Promise<Mail[]> =>
    (await world.deps.mails.list(userId, { skip: 0, limit: 100 })).items;
  return { world, context, notifier, person, mailsOf, progress: new MemoryProgressStore() };
}

/** A change of component Site in project Web. */
export const changeOf = (given: Partial<NotifiableChange>): NotifiableChange => ({
  action: 47,
  timeMs: Date.parse('2026-11-21T12:00:00Z'),
  projectId: 8,
  componentId: 80,
  unitId: 0,
  languageCode: '',
  userId: 0,
  target: '',
  ...given,
});

/** A transport that accepts every mail. */
export function acceptingTransport() {
  const sent: Parameters<MailTransport['send']>[0][] = [];
  const transport: MailTransport = { send: (mail) => Promise.resolve(void sent.push(mail)) };
  return { sent, transport };
}
