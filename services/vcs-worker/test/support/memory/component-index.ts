import type { ComponentIndex } from '../../../src/domain/repository';

interface Entry {
  project: number;
  repository: string;
  waitingSince: number;
  touched: number;
  screenshots: Map<string, string>;
}

/** Maps components to repositories, in memory. */
export class MemoryComponentIndex implements ComponentIndex {
  private readonly entries = new Map<number, Entry>();

  private ids(matches: (entry: Entry) => boolean): number[] {
    return [...this.entries]
      .filter(([, entry]) => matches(entry))
      .map(([id]) => id)
      .sort((a, b) => a - b);
  }

  async put(component: number, project: number, repository: string): Promise<void> {
    const known = this.entries.get(component) ?? { waitingSince: 0, touched: 0, screenshots: new Map() };
    this.entries.set(component, { ...known, project, repository });
  }

  async moveAll(from: string, to: string): Promise<void> {
    for (const entry of this.entries.values()) if (entry.repository === from) entry.repository = to;
  }

  async repositoryOf(component: number): Promise<string | null> {
    return this.entries.get(component)?.repository ?? null;
  }

  async repositoriesOf(components: readonly number[]): Promise<Map<number, string>> {
    return new Map(
      components.flatMap((id) => {
        const entry = this.entries.get(id);
        return entry ? [[id, entry.repository] as const] : [];
      }),
    );
  }

  async componentsOf(repository: string): Promise<number[]> {
    return this.ids((entry) => entry.repository === repository);
  }

  async ofProject(project: number): Promise<number[]> {
    return this.ids((entry) => entry.project === project);
  }

  async all(): Promise<number[]> {
    return this.ids(() => true);
  }

  async remove(component: number): Promise<void> {
    this.entries.delete(component);
  }

  async recordEdits(components: readonly number[], at: number): Promise<void> {
    for (const id of components) {
      const entry = this.entries.get(id);
      if (!entry) continue;
      entry.touched++;
      entry.waitingSince ||= at;
    }
  }

  async listEdited(limit: number) {
    return [...this.entries]
      .filter(([, entry]) => entry.waitingSince > 0)
      .sort(([, a], [, b]) => a.waitingSince - b.waitingSince)
      .slice(0, limit)
      .map(([component, { repository, waitingSince, touched }]) => ({
        component,
        repository,
        since: waitingSince,
        touched,
      }));
  }

  async screenshots(component: number): Promise<Map<string, string>> {
    return new Map(this.entries.get(component)?.screenshots);
  }

  async setScreenshots(component: number, hashes: ReadonlyMap<string, string>): Promise<void> {
    const entry = this.entries.get(component);
    if (entry) entry.screenshots = new Map(hashes);
  }

  async recordOldestEdit(component: number, since: number, touched: number): Promise<void> {
    const entry = this.entries.get(component);
    if (entry?.touched === touched) entry.waitingSince = since;
  }
}
