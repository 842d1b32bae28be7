import { LINES_MAX, type Mail, type MailPart } from '../../../src/domain/notifications/mail';
import type { MailStore, Page, PageRequest } from '../../../src/domain/ports';
import { page } from './page';

export class MemoryMailStore implements MailStore {
  readonly mails: Mail[] = [];
  private readonly sources = new Set<string>();

  add(source: string, parts: readonly MailPart[]): Promise<void> {
    for (const part of parts) {
      if (this.sources.has(`${source} ${part.key}`)) continue;
      this.sources.add(`${source} ${part.key}`);
      const mail = this.mails.find((m) => m.key === part.key);
      if (mail) {
        mail.lines = [...mail.lines, ...part.lines].slice(0, LINES_MAX);
        mail.count += part.count;
      } else {
        const id = this.mails.length + 1;
        this.mails.push({ ...structuredClone(part), id, state: 'waiting', sentMs: 0, attempts: 0, error: '' });
      }
    }
    return Promise.resolve();
  }

  list(userId: number | undefined, pageRequest: PageRequest): Promise<Page<Mail>> {
    const wanted = this.mails.filter((m) => userId === undefined || m.userId === userId);
    return Promise.resolve(page([...wanted].reverse(), pageRequest));
  }

  claimDue(nowMs: number, untilMs: number): Promise<Mail | undefined> {
    const [mail] = this.mails
      .filter((m) => m.state === 'waiting' && m.dueMs <= nowMs)
      .sort((a, b) => a.dueMs - b.dueMs);
    if (mail) mail.dueMs = untilMs;
    return Promise.resolve(mail && structuredClone(mail));
  }

  settle(id: number, result: Pick<Mail, 'state' | 'sentMs' | 'error' | 'dueMs' | 'attempts'>): Promise<void> {
    const { state, sentMs, error, dueMs, attempts } = result;
    Object.assign(this.mails.find((m) => m.id === id) ?? {}, { state, sentMs, error, dueMs, attempts });
    return Promise.resolve();
  }

  removeOf(userId: number): Promise<void> {
    this.mails.splice(0, this.mails.length, ...this.mails.filter((m) => m.userId !== userId));
    return Promise.resolve();
  }
}
