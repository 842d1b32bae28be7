import { ProjectFonts, UploadedFont } from '@parlance/checks';
import type { FontStore } from '../../domain/project-fonts';
import type { SharedCache } from '../caches/cache-generation';
import { SizedCache } from '../caches/sized-cache';
import { TimedCache } from '../caches/timed-cache';

/** In bytes. The fonts of one project take a quarter at most. */
const CAPACITY = 128 * 1024 * 1024;

/** Fonts of projects. The content of a font never changes, so only the ids of a project's fonts become stale. */
export class ProjectFontsCache implements SharedCache {
  private readonly ids = new TimedCache<number, readonly number[]>();
  private readonly sets = new SizedCache<ProjectFonts>(CAPACITY);

  constructor(private readonly store: Pick<FontStore, 'idsOf' | 'ofProject'>) {}

  /** Undefined if the project has no fonts. */
  async of(project: number): Promise<ProjectFonts | undefined> {
    const ids = await this.ids.get(project, () => this.store.idsOf(project));
    if (ids.length === 0) return undefined;
    const key = `${project} ${ids.join()}`;
    const known = this.sets.get(key);
    if (known) return known;
    const fonts = (await this.store.ofProject(project)).filter(({ id }) => ids.includes(id));
    const set = new ProjectFonts(fonts.map((font) => new UploadedFont(font)));
    const size = fonts.reduce((sum, { codePoints, advances }) => sum + codePoints.length + advances.length, 0);
    if (fonts.length === ids.length) this.sets.set(key, set, size);
    return set;
  }

  clear(): void {
    this.ids.clear();
  }
}
