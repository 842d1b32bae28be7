import type { common, translation as proto } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { FormatError, formatOf } from '@parlance/formats';
import type { Component } from '../../../src/domain/component';
import type {
  CommittedFile,
  FileConflict,
  ImportAnswer,
  ImportFile,
  ImportOptions,
  PendingCommits,
  PendingGroup,
  RenderedFile,
  TranslationClient,
  UnitEdit,
} from '../../../src/domain/ports';
import { language } from '../languages';
import type { Effects } from './effects';

interface Edit {
  id: string;
  translation: proto.Translation__Output;
  author: common.Author__Output;
  source: string;
  target: string;
  timeMs: number;
}

type Texts = Map<string, string>;

const textsOf = (bytes: Buffer): Texts =>
  new Map(
    bytes.length === 0
      ? []
      : formatOf('po')
          .parse(bytes)
          .units.map((unit) => [unit.source[0]!, unit.target[0] ?? '']),
  );

function withTexts(bytes: Buffer, texts: Texts): Buffer {
  const file = formatOf('po').parse(bytes);
  return file.apply(
    file.units.flatMap(({ source, target, index }) => {
      const wanted = texts.get(source[0]!);
      return wanted === undefined || wanted === target[0] ? [] : [{ op: 'set' as const, index, target: [wanted] }];
    }),
  );
}

/** Runs a parser as the translation service does. @throws ServiceError INVALID */
function parsing<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new ServiceError('INVALID', { message: error.message });
  }
}

/** The translation service in memory: real PO files, and the effects of calls. */
export class MemoryTranslations implements TranslationClient {
  readonly stored = new Map<number, proto.Translation__Output>();
  readonly imports: { component: number; paths: string[]; options: ImportOptions }[] = [];
  readonly conflicts: FileConflict[] = [];
  readonly committed: CommittedFile[] = [];
  readonly cleanedUp: { component: number; before: number; maxVotes?: number }[] = [];
  /** Strings with the fields that add-ons read. */
  readonly strings: proto.Unit__Output[] = [];
  readonly addonEdits: { unit: number; edit: UnitEdit; addon: proto.AddonEdit }[] = [];
  readonly autotranslated: { translation: number; request: object }[] = [];
  /** Why edits of a string, or the automatic translation of a translation, fail. */
  readonly refusals = new Map<number, ServiceError>();
  edits: Edit[] = [];
  /** Whether a project's commit policy withholds all edits. */
  withholds = false;
  /** Source texts that no file can represent. */
  readonly unwritable = new Set<string>();
  private lastId = 0;

  constructor(private readonly effects: Effects) {}

  /** A translation that exists before the test. */
  add(componentId: number, code: string, filename: string): proto.Translation__Output {
    const id = 1_000 + ++this.lastId;
    const known: Partial<proto.Translation__Output> = {
      id,
      componentId,
      projectId: 1,
      languageCode: code,
      fileLanguageCode: code,
      filename,
      language: language(code),
      isSource: code === 'en',
    };
    const translation = known as proto.Translation__Output;
    this.stored.set(id, translation);
    return translation;
  }

  /** A string of a translation, untranslated unless the fields say otherwise. */
  addString(
    translation: proto.Translation__Output,
    id: number,
    source: string[],
    fields: Partial<proto.Unit__Output> = {},
  ) {
    const isSource = translation.isSource;
    const texts = { source, target: isSource ? source : source.map(() => ''), extraFlags: '', labelIds: [] };
    const state = isSource ? 100 : 0;
    const unit = { id, translationId: translation.id, isSource, sourceUnitId: id, state, ...texts, ...fields };
    this.strings.push(unit as proto.Unit__Output);
  }

  /** A user edits a string; the edit is pending since a time, a second after 1970 unless given. */
  addEdit(
    translation: proto.Translation__Output,
    source: string,
    target: string,
    username = 'ann',
    timeMs = 1_000,
  ): void {
    const author = { userId: 7, username, fullName: username, email: `${username}@example.com` };
    this.edits.push({ id: `edit-${++this.lastId}`, translation, author, source, target, timeMs });
  }

  private groupsOf(component: number): PendingGroup[] {
    const groups = new Map<string, PendingGroup>();
    for (const { translation, author, timeMs } of this.edits) {
      if (translation.componentId !== component) continue;
      const key = `${translation.id} ${author.username}`;
      const { units, oldestMs } = groups.get(key) ?? { units: 0, oldestMs: timeMs };
      const { filename, languageCode } = translation;
      groups.set(key, {
        translationId: translation.id,
        filename,
        languageCode,
        languageName: languageCode.toUpperCase(),
        author,
        round: 0,
        units: units + 1,
        oldestMs: Math.min(oldestMs, timeMs),
        pluralNumber: 2,
        pluralFormula: 'n != 1',
        removals: 0,
      });
    }
    return [...groups.values()];
  }

  async pending(component: Component): Promise<PendingGroup[]> {
    return this.withholds && component.project.commitPolicy !== 0 ? [] : this.groupsOf(component.settings.id);
  }

  async anyPending(components: readonly number[]): Promise<boolean> {
    return components.some((id) => this.groupsOf(id).length > 0);
  }

  async openPending(component: Component): Promise<PendingCommits> {
    return {
      groups: await this.pending(component),
      render: (group, bytes) => this.render(component, group, bytes),
      renderIntermediate: async (_group, bytes) => bytes,
      markCommitted: async (files) => {
        if (files.length > 0) this.effects.add('mark edits as committed');
        this.committed.push(...files);
        const ids = files.flatMap(({ editIds }) => editIds);
        this.edits = this.edits.filter(({ id }) => !ids.includes(id));
      },
      close: async () => undefined,
    };
  }

  async render(_component: Component, group: PendingGroup, bytes: Buffer): Promise<RenderedFile> {
    const all = this.edits.filter(
      ({ translation, author }) => translation.id === group.translationId && author.username === group.author?.username,
    );
    const edits = all.filter(({ source }) => !this.unwritable.has(source));
    const rendered = parsing(() => withTexts(bytes, new Map(edits.map(({ source, target }) => [source, target]))));
    return {
      bytes: rendered,
      editIds: edits.map(({ id }) => id),
      skipped: all.length - edits.length,
      changed: !rendered.equals(bytes),
    };
  }

  async merge(
    _component: Component,
    translationId: number,
    versions: { base: Buffer; local: Buffer; upstream: Buffer },
  ): Promise<{ bytes: Buffer; conflicts: FileConflict[] }> {
    return parsing(() => {
      const [base, local, upstream] = [textsOf(versions.base), textsOf(versions.local), textsOf(versions.upstream)];
      const ours = new Map([...local].filter(([source, text]) => base.get(source) !== text));
      const conflicts = [...ours]
        .filter(([source, text]) => upstream.get(source) !== base.get(source) && upstream.get(source) !== text)
        .map(([source, text]) => ({
          translationId,
          unitId: 0,
          context: '',
          source: [source],
          local: [text],
          upstream: [upstream.get(source) ?? ''],
        }));
      return { bytes: withTexts(versions.upstream, ours), conflicts };
    });
  }

  async recordConflicts(conflicts: readonly FileConflict[]): Promise<void> {
    this.effects.add('record conflicts');
    this.conflicts.push(...conflicts);
  }

  async discard(component: number): Promise<void> {
    this.effects.add(`discard edits of ${component}`);
    this.edits = this.edits.filter(({ translation }) => translation.componentId !== component);
  }

  async *import(
    component: Component,
    options: ImportOptions,
    files: AsyncIterable<ImportFile>,
  ): AsyncGenerator<ImportAnswer> {
    const { id } = component.settings;
    const record = { component: id, paths: new Array<string>(), options };
    this.imports.push(record);
    this.effects.add(`import files of ${id}`);
    let units = 0;
    for await (const file of files) {
      record.paths.push(file.path);
      const result = { path: file.path, translationId: 0, units: 0, added: 0, updated: 0, removed: 0 };
      try {
        const parsed = formatOf('po').parse(file.bytes);
        units += parsed.units.length;
        const known = [...this.stored.values()].find((one) => one.componentId === id && one.filename === file.path);
        const translation =
          file.kind === 'translation' ? (known ?? this.add(id, file.language.code, file.path)) : undefined;
        const isNew = translation !== undefined && known === undefined;
        yield {
          file: {
            ...result,
            translationId: translation?.id ?? 0,
            units: parsed.units.length,
            error: null,
            conflicts: [],
            isNew,
          },
        };
      } catch (error) {
        if (!(error instanceof FormatError)) throw error;
        const { line, column, message } = error;
        yield { file: { ...result, error: { path: file.path, line, column, message }, conflicts: [], isNew: false } };
      }
    }
    const summary: Partial<proto.ImportSummary__Output> = { units };
    yield { summary: summary as proto.ImportSummary__Output };
  }

  async list(component: number): Promise<proto.Translation__Output[]> {
    return [...this.stored.values()].filter(({ componentId }) => componentId === component);
  }

  async get(id: number): Promise<proto.Translation__Output | null> {
    return this.stored.get(id) ?? null;
  }

  async remove(id: number): Promise<void> {
    this.effects.add(`remove translation ${this.stored.get(id)?.languageCode}`);
    this.stored.delete(id);
  }

  async units(translationId: number, query: string): Promise<proto.Unit__Output[]> {
    const states: Record<string, number> = { 'state:empty': 0, 'is:read-only': 100 };
    if (query !== '' && states[query] === undefined) throw new Error(`${query} is not evaluated in memory`);
    return this.strings.filter(
      (unit) => unit.translationId === translationId && (query === '' || unit.state === states[query]),
    );
  }

  async unit(id: number): Promise<proto.Unit__Output | null> {
    return this.strings.find((unit) => unit.id === id) ?? null;
  }

  async edit(id: number, { labels, ...fields }: UnitEdit, addon: proto.AddonEdit): Promise<void> {
    const refusal = this.refusals.get(id);
    if (refusal) throw refusal;
    Object.assign((await this.unit(id))!, fields, labels && { labelIds: labels });
    this.addonEdits.push({ unit: id, edit: { ...fields, ...(labels && { labels }) }, addon });
  }

  async removeOldSuggestions(component: number, before: number, maxVotes: number): Promise<number> {
    this.cleanedUp.push({ component, before, maxVotes });
    return 0;
  }

  async removeOldComments(component: number, before: number): Promise<number> {
    this.cleanedUp.push({ component, before });
    return 0;
  }

  async autotranslate(translation: number, request: object): Promise<string> {
    const refusal = this.refusals.get(translation);
    if (refusal) throw refusal;
    this.autotranslated.push({ translation, request });
    return 'done';
  }

  async file(): Promise<Buffer | null> {
    return null;
  }
}
