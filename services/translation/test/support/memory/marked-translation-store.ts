import type { CheckMarks, MarkedTranslation } from '../../../src/domain/ports';
import type { Translation } from '../../../src/domain/translation';
import { MemoryTranslationStore } from './translation-store';

/** Translations in memory with durable requests for background checks. */
export class MemoryMarkedTranslationStore extends MemoryTranslationStore implements CheckMarks {
  private readonly rechecks = new Map<number, string>();
  private readonly reruns = new Map<number, string>();
  private readonly terms = new Map<number, string>();
  /** Times of the time-dependent checks, by component. */
  private readonly checkedAt = new Map<number, number>();
  private lastMark = 0;

  private mark(marks: Map<number, string>, translations: readonly Translation[]): void {
    for (const { id } of translations) marks.set(id, String(++this.lastMark));
  }

  private clear(marks: Map<number, string>, id: number, mark: string): boolean {
    return marks.get(id) === mark && marks.delete(id);
  }

  private marked(marks: ReadonlyMap<number, string>): MarkedTranslation[] {
    return this.select(({ id }) => marks.has(id)).map((translation) => {
      return { translation, mark: marks.get(translation.id)! };
    });
  }

  async listToRecheck(): Promise<MarkedTranslation[]> {
    return this.marked(this.rechecks);
  }

  async markRecheck(ids: readonly number[]): Promise<void> {
    for (const id of ids) this.log(`mark translation ${id} for checks`);
    this.mark(
      this.rechecks,
      this.select(({ id }) => ids.includes(id)),
    );
  }

  async clearRecheck(marked: readonly MarkedTranslation[]): Promise<void> {
    for (const { translation, mark } of marked) this.clear(this.rechecks, translation.id, mark);
  }

  async listToRerun(): Promise<MarkedTranslation[]> {
    return this.marked(this.reruns);
  }

  async markRerun(of: { component: number } | { project: number }): Promise<void> {
    const matches = (t: Translation) => ('component' in of ? t.component === of.component : t.project === of.project);
    this.mark(this.reruns, this.select(matches));
  }

  async clearRerun(id: number, mark: string): Promise<void> {
    if (this.clear(this.reruns, id, mark)) await this.markRecheck([id]);
  }

  async markTermsChanged(project: number, language: string | null): Promise<void> {
    const matches = (t: Translation) => t.project === project && (language === null || t.language.code === language);
    this.mark(this.terms, this.select(matches));
  }

  async listTermsChanged(): Promise<MarkedTranslation[]> {
    return this.marked(this.terms);
  }

  async clearTermsChanged(translation: number, mark: string): Promise<void> {
    this.clear(this.terms, translation, mark);
  }

  async listTimedChecksDue(since: number, limit: number): Promise<number[]> {
    return (await this.components()).filter((id) => (this.checkedAt.get(id) ?? 0) < since).slice(0, limit);
  }

  async claimTimedChecks(component: number, since: number, now: number): Promise<boolean> {
    if ((this.checkedAt.get(component) ?? 0) >= since) return false;
    this.checkedAt.set(component, now);
    return true;
  }
}
