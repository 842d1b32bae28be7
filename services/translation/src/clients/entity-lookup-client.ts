import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import type { Component } from '../domain/component';
import type { EntityLookup } from '../domain/ports';
import type { Author } from '../domain/unit';
import { componentFromCatalog } from './component-cache';

/** Page size of the catalog's lists. */
const PAGE = 1000;
/** Ids in one request. */
const BATCH = 10_000;

/** Resolves names and ids through the services that own them. */
export class EntityLookupClient implements EntityLookup {
  private readonly cached = new Map<number, { generation: string; components: Promise<readonly Component[]> }>();

  constructor(
    private readonly clients: { catalog: Client<'catalog'>; identity: Client<'identity'>; media: Client<'media'> },
    private readonly callerToken: () => string,
  ) {}

  componentsOf(project: number, generation: string): Promise<readonly Component[]> {
    const cached = this.cached.get(project);
    if (cached && generation !== '' && cached.generation === generation) return cached.components;
    const components = this.readComponents(project, generation);
    if (generation !== '') {
      if (this.cached.size > 1000) this.cached.clear();
      this.cached.set(project, { generation, components });
      components.catch(() => this.cached.delete(project));
    }
    return components;
  }

  private async readComponents(project: number, catalogGeneration: string): Promise<readonly Component[]> {
    const found: Component[] = [];
    for (let page = 1; ; page++) {
      const answer = await this.clients.catalog.listComponents(
        { page: { page, pageSize: PAGE }, ...(project ? { projectId: project } : {}) },
        { as: this.callerToken(), catalogGeneration },
      );
      const projects = new Map(answer.projects.map((p) => [p.id, p]));
      const languages = new Map(answer.languages.map((l) => [l.code, l]));
      for (const component of answer.components) {
        const owner = projects.get(component.projectId);
        const language = languages.get(component.sourceLanguageCode);
        if (owner && language) found.push(componentFromCatalog(component, owner, language));
      }
      if (page * PAGE >= answer.total) return found;
    }
  }

  async projectId(slug: string): Promise<number | null> {
    return nullIfMissing(
      async () => (await this.clients.catalog.getProject({ slug }, { as: this.callerToken() })).project?.id,
    );
  }

  async userId(username: string): Promise<number | null> {
    return nullIfMissing(
      async () => (await this.clients.identity.getUser({ username }, { as: this.callerToken() })).user?.id,
    );
  }

  async author(id: number): Promise<Author | null> {
    const [user] = (await this.clients.identity.batchGetUsers({ ids: [id] }, { as: this.callerToken() })).users;
    return user ? { userId: id, username: user.username, fullName: user.fullName, email: user.email } : null;
  }

  async deletedUsers(ids: readonly number[]): Promise<Author[]> {
    const deleted: Author[] = [];
    for (let at = 0; at < ids.length; at += BATCH) {
      const asked = { ids: ids.slice(at, at + BATCH) };
      const { users } = await this.clients.identity.batchGetUsers(asked, { as: this.callerToken() });
      for (const { id, username, fullName, email } of users)
        // The placeholder name identifies deleted users; it is reserved.
        if (username === `deleted-${id}`) deleted.push({ userId: id, username, fullName, email });
    }
    return deleted;
  }

  async userWithEmail(email: string): Promise<{ id: number; username: string } | null> {
    return nullIfMissing(
      async () => (await this.clients.identity.getUser({ email }, { as: this.callerToken() })).user ?? undefined,
    );
  }

  async labelNames(ids: readonly number[]): Promise<Map<number, string>> {
    const names = new Map<number, string>();
    for (let at = 0; at < ids.length; at += BATCH) {
      const { labels } = await this.clients.catalog.batchGetLabels(
        { ids: ids.slice(at, at + BATCH) },
        { as: this.callerToken() },
      );
      for (const label of labels) names.set(label.id, label.name);
    }
    return names;
  }

  async screenshotUnits(translations: readonly number[], name: string, limit: number): Promise<readonly number[]> {
    const answer = await this.clients.media.listAttachedUnits(
      { translationIds: [...translations], name, limit },
      { as: this.callerToken() },
    );
    return answer.unitIds;
  }
}

async function nullIfMissing<T>(ask: () => Promise<T | undefined>): Promise<T | null> {
  try {
    return (await ask()) ?? null;
  } catch (error) {
    if (isServiceError(error, 'NOT_FOUND')) return null;
    throw error;
  }
}
