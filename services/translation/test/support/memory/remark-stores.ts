import type { Comment, CommentStore, Page, Suggestion, SuggestionStore } from '../../../src/domain/ports';

interface Remark {
  id: number;
  unit: number;
  component: number;
  time: number;
}

/** Suggestions or comments in memory. */
class MemoryRemarks<T extends Remark> {
  protected readonly stored = new Map<number, T>();

  constructor(
    private readonly kind: string,
    protected readonly log: (effect: string) => void,
  ) {}

  protected all(matches: (remark: T) => boolean): T[] {
    return [...this.stored.values()]
      .filter(matches)
      .sort((a, b) => a.id - b.id)
      .map((remark) => structuredClone(remark));
  }

  protected put(remark: T): void {
    this.stored.set(remark.id, structuredClone(remark));
    this.log(`store ${this.kind} ${remark.id}`);
  }

  protected pageOf(items: T[], page: number, size: number): Page<T> {
    return { items: items.slice((page - 1) * size, page * size), total: items.length };
  }

  async get(id: number): Promise<T | null> {
    return this.all((r) => r.id === id)[0] ?? null;
  }

  async older(component: number, before: number): Promise<T[]> {
    return this.all((r) => r.component === component && r.time < before);
  }

  async countNewer(unit: number, since: number): Promise<number> {
    return this.all((r) => r.unit === unit && r.time >= since).length;
  }

  async remove(remarks: readonly T[]): Promise<void> {
    for (const { id } of remarks) {
      this.stored.delete(id);
      this.log(`remove ${this.kind} ${id}`);
    }
  }

  async removeOfComponent(component: number): Promise<void> {
    this.log(`remove ${this.kind}s of component ${component}`);
    for (const { id } of this.all((r) => r.component === component)) this.stored.delete(id);
  }
}

export class MemorySuggestionStore extends MemoryRemarks<Suggestion> implements SuggestionStore {
  constructor(log: (effect: string) => void) {
    super('suggestion', log);
  }

  async page(of: { unit: number } | { translation: number }, page: number, size: number): Promise<Page<Suggestion>> {
    const matches = (s: Suggestion) => ('unit' in of ? s.unit === of.unit : s.translation === of.translation);
    return this.pageOf(this.all(matches), page, size);
  }

  async insert(suggestion: Suggestion): Promise<boolean> {
    if (suggestion.origin !== undefined && this.all((s) => s.origin === suggestion.origin).length > 0) return false;
    this.put(suggestion);
    return true;
  }

  async insertMany(suggestions: readonly Suggestion[]): Promise<void> {
    for (const suggestion of suggestions) this.put(suggestion);
  }

  async vote(id: number, user: number): Promise<Suggestion | null> {
    const stored = this.stored.get(id);
    if (!stored || stored.votes?.includes(user)) return null;
    stored.votes = [...(stored.votes ?? []), user];
    return structuredClone(stored);
  }

  async withdrawVote({ id }: Suggestion, user: number): Promise<void> {
    const stored = this.stored.get(id);
    if (stored?.votes) stored.votes = stored.votes.filter((voter) => voter !== user);
  }

  async forgetAuthor(user: number): Promise<void> {
    for (const stored of this.stored.values()) if (stored.author?.userId === user) delete stored.author;
  }

  async ofUnits(units: readonly number[]): Promise<Suggestion[]> {
    return this.all((s) => units.includes(s.unit));
  }
}

export class MemoryCommentStore extends MemoryRemarks<Comment> implements CommentStore {
  constructor(log: (effect: string) => void) {
    super('comment', log);
  }

  async insert(comment: Comment): Promise<void> {
    this.put(comment);
  }

  async page(units: readonly number[], page: number, size: number): Promise<Page<Comment>> {
    return this.pageOf(
      this.all((c) => units.includes(c.unit)),
      page,
      size,
    );
  }

  async update({ id }: Comment, change: Partial<Pick<Comment, 'text' | 'resolved'>>): Promise<void> {
    const stored = this.stored.get(id);
    if (stored) this.put({ ...stored, ...change });
  }
}
