import type { Caller, Permission } from '@parlance/access';
import type { OutgoingEvent } from '@parlance/events';
import type { CallContext } from '@parlance/grpc-kit';
import type { Delivery } from '../../../src/domain/outbound/delivery';
import type { Subscription } from '../../../src/domain/outbound/subscription';
import {
  StaleError,
  type CatalogClient,
  type ComponentMatch,
  type DeliveryFilter,
  type DeliveryStore,
  type InboundDelivery,
  type InboundStore,
  type ProjectInfo,
  type SubscriptionStore,
} from '../../../src/domain/ports';

export { fieldsOf, reasonOf } from '@parlance/testing';

/** Inbound deliveries in memory. */
export class MemoryInboundStore implements InboundStore {
  readonly stored: { delivery: InboundDelivery; events: OutgoingEvent[] }[] = [];
  private readonly triggered = new Set<number>();
  /** Another replica stores this delivery before the next `add`. */
  rival: InboundDelivery | undefined;

  constructor(private readonly log: (effect: string) => void) {}

  async get(id: string): Promise<InboundDelivery | undefined> {
    return this.stored.find(({ delivery }) => delivery.id === id)?.delivery;
  }

  async find(fingerprint: string): Promise<InboundDelivery | undefined> {
    return this.stored.find(({ delivery }) => delivery.fingerprint === fingerprint)?.delivery;
  }

  async findSigned(digest: string, afterMs: number): Promise<InboundDelivery | undefined> {
    const found = this.stored.find(({ delivery: d }) => d.signedDigest === digest && d.receivedMs > afterMs);
    return found?.delivery;
  }

  async noteTriggers(componentIds: readonly number[]): Promise<Set<number>> {
    const quiet = componentIds.filter((id) => !this.triggered.has(id));
    for (const id of quiet) this.triggered.add(id);
    return new Set(quiet);
  }

  async add(delivery: InboundDelivery, events: OutgoingEvent[]): Promise<boolean> {
    if (this.rival) this.stored.push({ delivery: this.rival, events: [] });
    this.rival = undefined;
    if (delivery.fingerprint !== '' && (await this.find(delivery.fingerprint))) return false;
    this.stored.push({ delivery: structuredClone(delivery), events });
    this.log('store delivery');
    return true;
  }

  async ofProject(projectId: number, skip: number, limit: number) {
    const found = this.stored
      .map((s) => s.delivery)
      .filter((d) => projectId === 0 || d.pulls.some((p) => p.projectId === projectId));
    return { deliveries: found.reverse().slice(skip, skip + limit), total: found.length };
  }
}

/** Outbound subscriptions in memory. */
export class MemorySubscriptionStore implements SubscriptionStore {
  private readonly stored = new Map<number, Subscription>();
  private lastId = 0;

  private all(matches: (subscription: Subscription) => boolean): Subscription[] {
    return structuredClone([...this.stored.values()].filter(matches).sort((a, b) => a.id - b.id));
  }

  async get(id: number): Promise<Subscription | undefined> {
    return this.all((s) => s.id === id)[0];
  }

  async ofAddon(addonId: number): Promise<Subscription | undefined> {
    return this.all((s) => s.addonId === addonId)[0];
  }

  async list(projectId: number, skip: number, limit: number) {
    const found = this.all((s) => s.projectId === projectId);
    return { subscriptions: found.slice(skip, skip + limit), total: found.length };
  }

  async listInterested(projectIds: readonly number[]): Promise<Subscription[]> {
    return this.all((s) => s.enabled && (s.projectId === 0 || projectIds.includes(s.projectId)));
  }

  async add(subscription: Omit<Subscription, 'id' | 'version'>): Promise<Subscription> {
    const added = { ...subscription, id: ++this.lastId, version: 1 };
    this.stored.set(added.id, structuredClone(added));
    return added;
  }

  async replace(subscription: Subscription): Promise<Subscription> {
    if (this.stored.get(subscription.id)?.version !== subscription.version) throw new StaleError();
    const next = { ...subscription, version: subscription.version + 1 };
    this.stored.set(next.id, structuredClone(next));
    return next;
  }

  async markSeen(id: number, timeMs: number): Promise<void> {
    const stored = this.stored.get(id);
    if (stored) stored.seenMs = Math.max(stored.seenMs, timeMs);
  }

  async noteAttempt(id: number, succeeded: boolean, timeMs: number): Promise<void> {
    const stored = this.stored.get(id);
    if (stored) stored[succeeded ? 'lastSuccessMs' : 'lastFailureMs'] = timeMs;
  }

  async remove(id: number): Promise<void> {
    this.stored.delete(id);
  }

  async removeOf(place: { projectId: number } | { componentId: number }): Promise<void> {
    const doomed = this.all((s) =>
      'projectId' in place ? s.projectId === place.projectId : s.componentId === place.componentId,
    );
    for (const { id } of doomed) this.stored.delete(id);
  }
}

/** Outbound deliveries in memory. */
export class MemoryDeliveryStore implements DeliveryStore {
  private readonly stored = new Map<string, Delivery>();
  /** Claims, and those of them that found nothing due. */
  looks = 0;
  emptyLooks = 0;

  constructor(private readonly log: (effect: string) => void) {}

  async add(deliveries: readonly Delivery[]): Promise<void> {
    for (const delivery of deliveries) if (!this.stored.has(delivery.id)) this.stored.set(delivery.id, { ...delivery });
  }

  async get(id: string): Promise<Delivery | undefined> {
    return structuredClone(this.stored.get(id));
  }

  async list({ subscriptionId, state }: DeliveryFilter, skip: number, limit: number) {
    const matches = (d: Delivery) =>
      (subscriptionId === 0 || d.subscriptionId === subscriptionId) && (state === undefined || d.state === state);
    const found = [...this.stored.values()].filter(matches).reverse();
    return { deliveries: found.slice(skip, skip + limit), total: found.length };
  }

  async claim(now: number, untilMs: number): Promise<Delivery | undefined> {
    this.looks++;
    const due = [...this.stored.values()]
      .filter((d) => d.state === 'pending' && d.nextAttemptMs <= now)
      .sort((a, b) => a.nextAttemptMs - b.nextAttemptMs)[0];
    if (!due) {
      this.emptyLooks++;
      return undefined;
    }
    due.nextAttemptMs = untilMs;
    due.attempts++;
    this.log(`claim ${due.id}`);
    return { ...due };
  }

  async finish(
    id: string,
    attempts: number,
    outcome: Pick<Delivery, 'state' | 'lastStatus' | 'lastError' | 'nextAttemptMs'>,
  ): Promise<void> {
    const stored = this.stored.get(id);
    if (stored?.attempts === attempts) Object.assign(stored, outcome);
    this.log(`finish ${id} ${outcome.state}`);
  }

  async retry(id: string, now: number): Promise<Delivery | undefined> {
    const stored = this.stored.get(id);
    if (stored) Object.assign(stored, { state: 'pending', attempts: 0, nextAttemptMs: now });
    return stored && { ...stored };
  }

  async remove(id: string): Promise<boolean> {
    return this.stored.delete(id);
  }
}

const anonymousCaller: Caller = {
  userId: 0,
  username: '',
  fullName: '',
  email: '',
  isSuperuser: false,
  isBot: false,
  anonymous: true,
  grants: [],
};

/** The use cases of hooks on stores in memory and a catalog of a few projects and components. */
export class HooksWorld {
  readonly effects: string[] = [];
  private readonly log = (effect: string) => void this.effects.push(effect);
  readonly inbound = new MemoryInboundStore(this.log);
  readonly subscriptions = new MemorySubscriptionStore();
  readonly deliveries = new MemoryDeliveryStore(this.log);
  readonly projects = new Map<number, ProjectInfo>();
  /** Matches of any notification; those of private projects are visible to superusers only. */
  matches: ComponentMatch[] = [];

  readonly catalog: CatalogClient = {
    match: async ({ branch }) =>
      this.matches.map((m) =>
        branch === '' || branch === 'main' ? m : { ...m, branchMatches: false, enabled: false },
      ),
    ofProject: async (slug, path) =>
      this.matches.filter((m) => (path === undefined ? true : m.path === `${slug}/${path}`)),
    components: async (ids, context) =>
      this.matches
        .filter((m) => ids.includes(m.componentId) && this.sees(m.projectId, context))
        .map((m) => {
          const project = this.projects.get(m.projectId)!;
          const path = m.path.slice(project.slug.length + 1);
          return {
            id: m.componentId,
            projectId: project.id,
            projectSlug: project.slug,
            path,
            restricted: false,
            project,
          };
        }),
    project: async (id, context) => (this.sees(id, context) ? this.projects.get(id) : undefined),
    names: async () => ({ projects: new Map(), components: new Map() }),
  };
  readonly secrets = {
    seal: (text: string) => `sealed:${text}`,
    open: (sealed: string) => sealed.replace(/^sealed:/, ''),
  };
  readonly receiving = {
    catalog: this.catalog,
    inbound: this.inbound,
    relay: { flush: async () => this.log('publish events') },
    mergeMs: 1_000,
    enabled: true,
  };
  readonly outbound = {
    catalog: this.catalog,
    subscriptions: this.subscriptions,
    deliveries: this.deliveries,
    secrets: this.secrets,
    allowPrivate: false,
    maxWebhooks: 2,
    wake: () => this.log('wake the sender'),
  };

  private sees(projectId: number, { caller }: CallContext): boolean {
    return caller.isSuperuser || this.projects.get(projectId)?.accessControl === 0;
  }

  project(id: number, slug: string, more: Partial<ProjectInfo> = {}): ProjectInfo {
    const project = { id, slug, accessControl: 0, enforced2fa: false, enableHooks: true, hasSecret: false, ...more };
    this.projects.set(id, project);
    return project;
  }

  /** A component that matches every notification of the branch main. */
  component(componentId: number, project: ProjectInfo, more: Partial<ComponentMatch> = {}): void {
    const path = `${project.slug}/c${componentId}`;
    const match = { componentId, projectId: project.id, path, branchMatches: true, enabled: true, secret: '' };
    this.matches.push({ ...match, ...more });
  }

  as(caller: Partial<Caller>): CallContext {
    return {
      caller: { ...anonymousCaller, anonymous: false, ...caller },
      callerToken: '',
      requestId: '',
      catalogGeneration: '',
      stringsGeneration: '',
      clientAddress: '',
      problems: [],
      deadlineMs: Date.now() + 60_000,
      signal: new AbortController().signal,
    };
  }

  readonly anonymous = this.as({ anonymous: true });
  readonly admin = this.as({ userId: 1, isSuperuser: true });

  member(...permissions: Permission[]): CallContext {
    return this.as({ userId: 7, grants: [{ permissions, projects: 'all' }] });
  }
}
