import { markAllCommitted, readPending } from '../../src/app/commit/commit-pending';
import { renderEdits } from '../../src/app/commit/render-pending';
import { ImportSession } from '../../src/app/import/import-session';
import type { App } from '../../src/compose-app';
import { groups } from '../../src/domain/counters';
import type { Component } from '../../src/domain/component';
import { MongoUnitStore } from '../../src/store/units/unit-store';
import { importOptions } from './import-world';
import { makeProcess } from './process';
import { language, sampleComponent } from './samples';
import type { useDatabase } from './store';

/** Statement at which a test may interrupt a process. */
export type Step = keyof MongoUnitStore;

/** A component with files in memory, and concurrent processes that work on it. */
export class World {
  readonly component: Component;
  private revision = 0;

  /** @param files by language code; `pot`: the file of `new_base`. A template makes the component monolingual. */
  constructor(
    private readonly database: ReturnType<typeof useDatabase>,
    id: number,
    private readonly files: Map<string, string>,
    settings: Partial<Component> = {},
  ) {
    this.component = sampleComponent(id, { project: id, newBase: files.has('pot') ? 'pot.po' : '', ...settings });
  }

  /** @param before called before each statement of the process about units, with its name and first argument */
  process(before: (step: Step, given: unknown) => Promise<unknown> | undefined = () => undefined): App {
    const units = new Proxy(new MongoUnitStore(this.database.models.units, this.database.models.searchOpen), {
      get(store, name: Step) {
        const method = store[name] as unknown;
        if (typeof method !== 'function') return method;
        return async (...given: unknown[]) => {
          await before(name, given[0]);
          return (method as (...all: unknown[]) => unknown).apply(store, given);
        };
      },
    });
    return makeProcess(this.database, this.component, { units });
  }

  write(code: string, text: string): void {
    this.files.set(code, text);
  }

  read(code: string): string {
    return this.files.get(code) ?? '';
  }

  /** Imports the files. */
  async scan(deps: App, initial = false): Promise<void> {
    const options = { ...importOptions, initial };
    const session = await ImportSession.begin(deps, this.component, options);
    const revision = String(++this.revision);
    const isBase = (code: string) => Number(code === 'en' || code === 'pot');
    for (const [code, text] of [...this.files].sort(([one], [other]) => isBase(other) - isBase(one))) {
      const path = this.pathOf(code);
      const kind =
        code === 'pot' ? 'newBase' : path === this.component.template ? 'template' : ('translation' as const);
      const into = language(code === 'pot' ? 'en' : code);
      const file = { path, language: into, fileLanguageCode: into.code, revision, kind } as const;
      expect((await session.file({ ...file, bytes: Buffer.from(text) })).error).toBeUndefined();
    }
    await session.end();
  }

  private pathOf(code: string): string {
    return this.component.template === '' ? `${code}.po` : `${code}.json`;
  }

  /** Commits pending edits to the files. @param meanwhile runs after rendering, before the edits are marked committed */
  async commit(deps: App, meanwhile: () => Promise<unknown> = async () => undefined): Promise<void> {
    const held: { translation: number; editIds: string[] }[] = [];
    const pending = await readPending(deps, this.component, 0);
    for (const { translation, edits, removals } of pending.groups) {
      const { language: into } = (await deps.translations.get(translation))!;
      const bytes = Buffer.from(this.read(into.code));
      const rendered = await renderEdits(deps.files, this.component, into, bytes, edits, removals);
      this.write(into.code, rendered.bytes.toString());
      held.push({ translation, editIds: rendered.editIds });
    }
    await meanwhile();
    const files = held.map((file) => ({ ...file, revision: String(++this.revision) }));
    await markAllCommitted(deps, files, pending.units);
  }

  async translation(code: string) {
    const found = await this.process().translations.find(this.component.id, code);
    return found!;
  }

  /** The strings of a language: name (its key, else its source text) and text, by name. */
  async strings(code: string): Promise<string[][]> {
    const units = await this.process().units.ofTranslation((await this.translation(code)).id);
    return units.map(({ context, source, target }) => [context || source[0]!, target[0]!]).sort();
  }

  async unit(code: string, name: string) {
    const units = await this.process().units.ofTranslation((await this.translation(code)).id);
    return units.find(({ context, source }) => (context || source[0]) === name)!;
  }

  /** Expects unique keys, a source string for each string, and counters that equal a recount. */
  async expectSound(): Promise<void> {
    const { units, translations } = this.process();
    const all = await translations.ofComponent(this.component.id);
    const source = all.find(({ isSource }) => isSource)!;
    const sources = new Map((await units.ofTranslation(source.id)).map(({ key, id }) => [key, id]));
    for (const { id, counters, language: into } of all) {
      const found = await units.ofTranslation(id);
      const keys = found.map(({ key }) => key);
      expect([into.code, new Set(keys).size]).toEqual([into.code, keys.length]);
      expect([into.code, found.map(({ sourceUnit }) => sourceUnit)]).toEqual([
        into.code,
        keys.map((key) => sources.get(key)),
      ]);
      const counted = await units.recount(id);
      for (const group of groups)
        expect([into.code, group, counters[group]]).toEqual([into.code, group, counted[group]]);
    }
  }
}
