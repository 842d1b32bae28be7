import { Readable } from 'node:stream';
import { formatOf, FormatError, type FormatFile } from '@parlance/formats';
import { type common, type translation } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { type RunningServer } from '@parlance/grpc-kit';
import { standIn } from './stand-in';
import { language } from './languages';

interface KnownFile {
  id: number;
  component: number;
  code: string;
  path: string;
  /** Targets by source text. */
  texts: Map<string, string>;
  /** Targets in the file as of the last import. */
  stored: Map<string, string>;
}

interface Edit {
  id: string;
  translation: number;
  author: common.Author;
  source: string;
  target: string;
}

/** The translation service: parses and writes real PO files, and records calls. */
export class TranslationStandIn {
  readonly files = new Map<number, KnownFile>();
  edits: Edit[] = [];
  readonly conflicts: translation.Conflict__Output[] = [];
  readonly imports: { component: number; complete: boolean; initial: boolean; paths: string[]; kinds: string[] }[] = [];
  /** Called before edits are marked as committed; simulates crashes at this point. */
  beforeMark: (() => Promise<void>) | undefined;
  /** Simulates a commit policy that withholds all edits. */
  heldBack = false;
  /** Source texts whose edits no file can represent. */
  readonly refused = new Set<string>();
  /** Policies under which pending edits were requested. */
  readonly policies: number[] = [];
  /** Default component. */
  current = 1;
  private server!: RunningServer;
  private ids = 0;

  get port(): number {
    return this.server.port;
  }

  of(path: string, component = this.current): KnownFile {
    const found = [...this.files.values()].find((file) => file.path === path && file.component === component);
    if (!found) throw new Error(`${path} was not imported`);
    return found;
  }

  /** A user edits a string; the edit is pending. */
  edit(path: string, source: string, target: string, author: string, component = this.current): void {
    const file = this.of(path, component);
    file.texts.set(source, target);
    this.edits.push({
      id: `edit${++this.ids}`,
      translation: file.id,
      author: {
        userId: author.length,
        username: author.toLowerCase(),
        fullName: author,
        email: `${author.toLowerCase()}@example.com`,
      },
      source,
      target,
    });
  }

  private parse(bytes: Buffer): FormatFile {
    return formatOf('po').parse(bytes);
  }

  private set(bytes: Buffer, texts: ReadonlyMap<string, string>): Buffer {
    const file = this.parse(bytes);
    return file.apply(
      file.units.flatMap((unit) =>
        texts.has(unit.source[0]!) && texts.get(unit.source[0]!) !== unit.target[0]
          ? [{ op: 'set' as const, index: unit.index, target: [texts.get(unit.source[0]!)!] }]
          : [],
      ),
    );
  }

  private toProto(file: KnownFile): translation.Translation {
    return {
      id: file.id,
      componentId: file.component,
      projectId: 1,
      languageCode: file.code,
      fileLanguageCode: file.code,
      filename: file.path,
      language: language(file.code),
    };
  }

  private groups(component: number): translation.PendingGroup[] {
    const groups = new Map<string, translation.PendingGroup>();
    for (const edit of this.edits) {
      const file = this.files.get(edit.translation);
      if (file?.component !== component) continue;
      const key = `${edit.translation} ${edit.author.username}`;
      const group = groups.get(key) ?? {
        translationId: file.id,
        filename: file.path,
        languageCode: file.code,
        languageName: file.code.toUpperCase(),
        author: edit.author,
        units: 0,
        oldestMs: 1_000,
      };
      groups.set(key, { ...group, units: Number(group.units) + 1 });
    }
    return [...groups.values()];
  }

  async start(): Promise<void> {
    this.server = await standIn('translation', {
      importFiles: (requests) => this.importFiles(requests),
      hasPending: async ({ componentIds }) => ({ pending: componentIds.some((id) => this.groups(id).length > 0) }),
      listPending: async ({ componentId, component }) => {
        this.policies.push(component?.commitPolicy ?? 0);
        return { groups: this.heldBack && component?.commitPolicy !== 0 ? [] : this.groups(componentId) };
      },
      commitPending: (requests) => this.commitPending(requests),
      renderPending: (requests) => this.render(requests),
      mergeFile: (requests) => this.merge(requests),
      recordConflicts: async ({ conflicts }) => {
        this.conflicts.push(...conflicts);
        return {};
      },
      discardPending: async ({ componentId }) => {
        const before = this.edits.length;
        this.edits = this.edits.filter((edit) => this.files.get(edit.translation)?.component !== componentId);
        for (const file of this.files.values()) if (file.component === componentId) file.texts = new Map(file.stored);
        return { units: before - this.edits.length };
      },
      listTranslations: async ({ componentIds }) => ({
        translations: [
          // The source strings of a bilingual component have no file.
          ...componentIds.map((id) => ({ id: 1_000_000 + id, componentId: id, languageCode: 'en', isSource: true })),
          ...[...this.files.values()]
            .filter((file) => componentIds.includes(file.component))
            .map((file) => this.toProto(file)),
        ],
      }),
      getTranslation: async ({ id }) => {
        const file = this.files.get(id);
        if (!file) throw new ServiceError('NOT_FOUND');
        return { translation: this.toProto(file) };
      },
      deleteTranslation: async ({ id }) => {
        this.files.delete(id);
        return {};
      },
    });
  }

  private async *importFiles(
    requests: AsyncIterable<translation.ImportFilesRequest__Output>,
  ): AsyncGenerator<translation.ImportFilesResponse> {
    let current: translation.ImportFileBegin__Output | null = null;
    let chunks: Buffer[] = [];
    const record = { component: 0, complete: false, initial: false, paths: [] as string[], kinds: [] as string[] };
    this.imports.push(record);
    let units = 0;
    for await (const request of requests) {
      if (request.begin)
        Object.assign(record, {
          component: request.begin.component!.componentId,
          complete: request.begin.complete,
          initial: request.begin.initial,
        });
      else if (request.fileBegin) [current, chunks] = [request.fileBegin, []];
      else if (request.chunk && request.step === 'chunk') chunks.push(request.chunk);
      else if (request.fileEnd && current) {
        record.paths.push(current.path);
        record.kinds.push(current.kind);
        try {
          const parsed = this.parse(Buffer.concat(chunks));
          units += parsed.units.length;
          const conflicts = this.conflicts.length;
          const known = new Set(this.files.keys());
          const file =
            current.kind === 'IMPORT_FILE_KIND_TRANSLATION' ? this.store(record.component, current, parsed) : null;
          yield {
            file: {
              path: current.path,
              translationId: file?.id ?? 0,
              isNew: file !== null && !known.has(file.id),
              units: parsed.units.length,
              conflicts: this.conflicts.slice(conflicts),
            },
          };
        } catch (error) {
          if (!(error instanceof FormatError)) throw error;
          yield {
            file: {
              path: current.path,
              error: { path: current.path, line: error.line, column: error.column, message: error.message },
            },
          };
        }
      } else if (request.end) {
        if (record.complete)
          for (const file of [...this.files.values()])
            if (file.component === record.component && !record.paths.includes(file.path)) this.files.delete(file.id);
        yield { summary: { units } };
      }
    }
  }

  private store(component: number, begin: translation.ImportFileBegin__Output, parsed: FormatFile): KnownFile {
    const known = [...this.files.values()].find((file) => file.component === component && file.path === begin.path);
    const file = known ?? {
      id: ++this.ids,
      component,
      code: begin.fileLanguageCode,
      path: begin.path,
      texts: new Map<string, string>(),
      stored: new Map<string, string>(),
    };
    const before = file.stored;
    file.texts = new Map(parsed.units.map((unit) => [unit.source[0]!, unit.target[0] ?? '']));
    file.stored = new Map(file.texts);
    for (const { translation, source, target } of this.edits) {
      if (translation !== file.id) continue;
      const upstream = file.texts.get(source) ?? '';
      if (upstream !== target && upstream !== before.get(source))
        this.conflicts.push({
          translationId: file.id,
          context: '',
          source: [source],
          local: [target],
          upstream: [upstream],
          unitId: 0,
        });
      file.texts.set(source, target);
    }
    this.files.set(file.id, file);
    return file;
  }

  private async *commitPending(
    requests: AsyncIterable<translation.CommitPendingRequest__Output>,
  ): AsyncGenerator<translation.CommitPendingResponse> {
    let groups: translation.PendingGroup[] = [];
    let index = 0;
    let parts: Buffer[] = [];
    for await (const request of requests) {
      if (request.begin) {
        const policy = request.begin.component?.commitPolicy ?? 0;
        this.policies.push(policy);
        groups = this.heldBack && policy !== 0 ? [] : this.groups(request.begin.componentId);
        yield { pending: { groups } };
      }
      if (request.file) {
        index = request.file.group;
        parts = [];
      }
      parts.push(request.chunk);
      if (request.endOfFile) {
        const group = groups[index] as translation.PendingGroup__Output;
        const file = { group, chunk: Buffer.concat(parts), component: null, intermediate: false };
        try {
          yield* this.render(Readable.from([file]));
          yield { endOfFile: true };
        } catch (error) {
          if (!(error instanceof FormatError)) throw error;
          yield { error: error.message };
        }
      }
      if (request.commits.length > 0) {
        await this.beforeMark?.();
        const ids = request.commits.flatMap(({ editIds }) => editIds);
        this.edits = this.edits.filter((edit) => !ids.includes(edit.id));
        yield { committed: true };
      }
    }
  }

  private async *render(
    requests: AsyncIterable<translation.RenderPendingRequest__Output>,
  ): AsyncGenerator<translation.RenderPendingResponse> {
    let group: translation.PendingGroup__Output | null = null;
    const chunks: Buffer[] = [];
    for await (const request of requests) {
      group ??= request.group;
      chunks.push(request.chunk);
    }
    const edits = this.edits.filter(
      (edit) =>
        edit.translation === group?.translationId &&
        edit.author.username === group.author?.username &&
        !this.refused.has(edit.source),
    );
    const bytes = Buffer.concat(chunks);
    const rendered = this.set(bytes, new Map(edits.map((edit) => [edit.source, edit.target])));
    const skippedUnitIds = this.edits.filter(({ source }) => this.refused.has(source)).map(() => 1);
    yield { result: { editIds: edits.map((edit) => edit.id), skippedUnitIds, changed: !rendered.equals(bytes) } };
    yield { chunk: rendered };
  }

  private async *merge(
    requests: AsyncIterable<translation.MergeFileRequest__Output>,
  ): AsyncGenerator<translation.MergeFileResponse> {
    const versions: Buffer[][] = [[]];
    for await (const request of requests) {
      versions.at(-1)!.push(request.chunk);
      if (request.endOfVersion) versions.push([]);
    }
    const [base, local, upstream] = versions.map((parts) => Buffer.concat(parts)) as [Buffer, Buffer, Buffer];
    const textsOf = (bytes: Buffer) =>
      new Map(bytes.length === 0 ? [] : this.parse(bytes).units.map((unit) => [unit.source[0]!, unit.target[0] ?? '']));
    let sides;
    try {
      sides = { was: textsOf(base), ours: textsOf(local), theirs: textsOf(upstream) };
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      throw fieldErrors([{ attr: 'file', code: 'invalid', detail: error.describe() }]);
    }
    const { was, ours, theirs } = sides;
    const changed = new Map([...ours].filter(([source, text]) => was.get(source) !== text));
    const conflicts = [...changed].filter(
      ([source, text]) => theirs.get(source) !== was.get(source) && theirs.get(source) !== text,
    );
    yield {
      result: {
        conflicts: conflicts.map(([source, text]) => ({
          source: [source],
          local: [text],
          upstream: [theirs.get(source) ?? ''],
        })),
      },
    };
    yield { chunk: this.set(upstream, changed) };
  }

  stop(): Promise<void> {
    return this.server.drain(100);
  }
}
