import type { WebCredentialStore } from '../../../src/domain/ports';
import type { CredentialKind, WebCredential } from '../../../src/domain/sign-in/web-credential';

export class MemoryWebCredentialStore implements WebCredentialStore {
  readonly stored = new Map<string, WebCredential>();
  private lastId = 0;

  nextId(): Promise<number> {
    return Promise.resolve(++this.lastId);
  }

  insert(credential: WebCredential): Promise<void> {
    this.stored.set(credential.hash, { ...credential });
    return Promise.resolve();
  }

  byHash(kind: CredentialKind, hash: string): Promise<WebCredential | undefined> {
    const found = this.stored.get(hash);
    return Promise.resolve(found?.kind === kind ? { ...found } : undefined);
  }

  noteUse(hash: string, lastSeenMs: number, expiresMs: number): Promise<void> {
    const found = this.stored.get(hash);
    if (found) Object.assign(found, { lastSeenMs, expiresMs });
    return Promise.resolve();
  }

  async take(kind: CredentialKind, hash: string): Promise<WebCredential | undefined> {
    const found = await this.byHash(kind, hash);
    return found && this.stored.delete(hash) ? found : undefined;
  }

  sessionsOf(userId: number): Promise<WebCredential[]> {
    const found = [...this.stored.values()].filter((c) => c.userId === userId && c.kind === 'session');
    return Promise.resolve(found.sort((a, b) => b.createdMs - a.createdMs || b.id - a.id));
  }

  endSessions(userId: number, which: { id: number } | { exceptId: number }): Promise<void> {
    const ends = ({ id }: WebCredential) => ('id' in which ? id === which.id : id !== which.exceptId);
    return this.remove((c) => c.userId === userId && c.kind === 'session' && ends(c));
  }

  removeOf(userId: number): Promise<void> {
    return this.remove((c) => c.userId === userId);
  }

  private remove(matches: (credential: WebCredential) => boolean): Promise<void> {
    for (const [hash, credential] of this.stored) if (matches(credential)) this.stored.delete(hash);
    return Promise.resolve();
  }
}
