import { CallerVerifier, serviceCaller, type Caller } from '@parlance/access';
import { SecretBox } from '@parlance/secrets';
import { randomBytes } from 'node:crypto';
import { bootstrap } from '../../src/app/bootstrap';
import { authenticate } from '../../src/app/authentication/authenticate';
import { createPersonalToken } from '../../src/app/tokens/personal-tokens';
import { changeMembership } from '../../src/app/groups/change-membership';
import { ensureProjectTeams } from '../../src/app/groups/project-teams';
import { createUser } from '../../src/app/users/create-user';
import type { RequestContext, Deps } from '../../src/app/deps';
import { resolveCaller } from '../../src/app/authentication/resolve-caller';
import type { PasswordHasher } from '../../src/domain/ports';
import { ANONYMOUS_ID, type User } from '../../src/domain/user';
import {
  Announced,
  MemoryAttemptStore,
  MemoryAuditStore,
  MemoryGroupStore,
  MemoryMailStore,
  MemoryProjectStore,
  MemoryRoleStore,
  MemoryUserStore,
  MemoryWebCredentialStore,
} from './memory-stores';

export { fieldsOf, problemsOf, reasonOf } from '@parlance/testing';

export const secret = 'a secret for tests of thirty-two characters';

/** A hash without cost; the real one has its own test. */
const plainPasswords: PasswordHasher = {
  hash: (password) => Promise.resolve(`hashed:${password}`),
  verify: (digest, password) => Promise.resolve(digest === `hashed:${password}`),
};

/** Identity on in-memory stores, with defaults and a fixed clock. */
export class World {
  readonly announced = new Announced();
  readonly mails = new MemoryMailStore();
  readonly webCredentials = new MemoryWebCredentialStore();
  /** Projects of component lists. */
  readonly lists = new Map<number, number[]>();
  nowMs = Date.parse('2026-11-21T12:00:00Z');

  readonly deps: Deps = {
    users: new MemoryUserStore(this.announced),
    groups: new MemoryGroupStore(this.announced),
    roles: new MemoryRoleStore(this.announced),
    projects: new MemoryProjectStore(this.announced),
    audit: new MemoryAuditStore(this.announced),
    mails: this.mails,
    webCredentials: this.webCredentials,
    attempts: new MemoryAttemptStore(),
    componentLists: {
      projectsOf: (ids) => Promise.resolve(new Map([...this.lists].filter(([id]) => ids.includes(id)))),
    },
    passwords: plainPasswords,
    secrets: new SecretBox(randomBytes(32).toString('base64')),
    now: () => this.nowMs,
    serviceSecret: secret,
    noreplyDomain: 'noreply.example.org',
    maxTokens: 100,
    sessionTimes: { idleMs: 3600_000, absoluteMs: 24 * 3600_000 },
    externalPolicy: { createUsers: true, linkByEmail: false, teams: new Map() },
    siteUrl: 'https://parlance.example.org',
  };

  static async create(): Promise<World> {
    const world = new World();
    await bootstrap(world.deps);
    world.announced.all.length = 0;
    return world;
  }

  /** The operator, who is authenticated as a service. */
  readonly operator: RequestContext = this.caller(serviceCaller('operator'));

  caller(caller: Caller): RequestContext {
    return { caller, clientAddress: '203.0.113.9', requestId: 'request' };
  }

  async user(username: string, more: Partial<Parameters<typeof createUser>[2]> = {}): Promise<User> {
    const input = { username, fullName: username, password: '', withToken: false, ...more };
    return (await createUser(this.deps, this.operator, input)).user;
  }

  /** The current caller of a user. */
  async as(user: User | number): Promise<RequestContext> {
    const id = typeof user === 'number' ? user : user.id;
    return this.caller(await resolveCaller(this.deps, (await this.deps.users.get(id))!));
  }

  anonymous(): Promise<RequestContext> {
    return this.as(ANONYMOUS_ID);
  }

  /** The caller of a token. */
  async enter(token: string): Promise<Caller> {
    return new CallerVerifier(secret).verify((await authenticate(this.deps, token)).signedPrincipal);
  }
}

/** A private project. */
export const project = { projectId: 7, slug: 'app', accessControl: 100, review: true };

/** A world with the teams of a private project and its manager, ana. */
export async function withProject() {
  const world = await World.create();
  const ana = await world.user('ana');
  const teams = await ensureProjectTeams(world.deps, world.operator, project, ana.id);
  return { world, ana, as: await world.as(ana), teams };
}

/** A world with ana and her token. @param expiresIn milliseconds; 0: never */
export async function withToken(expiresIn = 0) {
  const world = await World.create();
  const ana = await world.user('ana');
  const expiresMs = expiresIn === 0 ? 0 : world.nowMs + expiresIn;
  const made = await createPersonalToken(world.deps, await world.as(ana), {
    userId: ana.id,
    name: 'laptop',
    expiresMs,
  });
  return { world, ana, ...made };
}

/** A user manager who is not a superuser. */
export async function userManager(world: World): Promise<RequestContext> {
  const role = {
    id: await world.deps.roles.nextId(),
    version: 1,
    name: 'HR',
    permissions: ['user.edit'],
    deleted: false,
  };
  await world.deps.roles.insert(role, { audit: [] });
  await world.deps.groups.update(6, (g) => ({ next: { ...g, roles: [role.id] }, announce: { audit: [] } }));
  const user = await world.user('manager');
  await changeMembership(world.deps, world.operator, { userId: user.id, groupId: 6, member: true });
  return world.as(user);
}
