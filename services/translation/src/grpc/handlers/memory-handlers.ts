import type { translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError, type FieldProblem } from '@parlance/errors';
import type { RunningConsumer } from '@parlance/events';
import { chunks, type CallContext, type Implementation, pageOf, requireId } from '@parlance/grpc-kit';
import { permittedEntry } from '../../app/memory/access';
import {
  addMemoryEntry,
  deleteMemoryEntry,
  listMemory,
  lookUpMemory,
  type LookUpRequest,
  type MemorySelection,
} from '../../app/memory/entries';
import { exportMemory, importMemory, MAX_MEMORY_FILE_BYTES } from '../../app/memory/files';
import type { MemoryDeps } from '../../app/memory/deps';
import type { MemoryEntry } from '../../domain/memory/entry';
import { senderOf, type Admissions } from '../uploads';
import { requireTexts } from '../validation';

/** Read-your-writes: how long a reader waits for edits saved before its call, in milliseconds. */
const CATCH_UP_MS = 2_000;
const DEFAULT_THRESHOLD = 75;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

export type MemoryMethod =
  | 'listMemory'
  | 'getMemoryEntry'
  | 'addMemoryEntry'
  | 'deleteMemoryEntry'
  | 'lookUpMemory'
  | 'importMemory'
  | 'exportMemory';

function entryToProto(entry: MemoryEntry): proto.MemoryEntry {
  return {
    id: entry.id,
    source: entry.source,
    target: entry.target,
    sourceLanguageId: entry.sourceLanguage.id,
    targetLanguageId: entry.targetLanguage.id,
    sourceLanguageCode: entry.sourceLanguage.code,
    targetLanguageCode: entry.targetLanguage.code,
    origin: entry.origin,
    projectId: entry.project,
    fromFile: entry.fromFile,
    shared: entry.shared,
    userId: entry.user,
    stampMs: entry.stamp,
  };
}

function selectionFromProto(filter: proto.MemoryFilter__Output | null): MemorySelection {
  return {
    project: filter?.projectId ?? 0,
    scope: filter?.scope ?? '',
    sourceLanguage: filter?.sourceLanguageCode ?? '',
    targetLanguage: filter?.targetLanguageCode ?? '',
    origin: filter?.origin ?? '',
  };
}

/** Similarity and number of the matches to look up. @throws INVALID naming threshold or limit */
export function lookUpBounds(request: { threshold: number; limit: number }): { threshold: number; limit: number } {
  const threshold = request.threshold || DEFAULT_THRESHOLD;
  const limit = request.limit || DEFAULT_LIMIT;
  const problems: FieldProblem[] = [];
  if (threshold < 1 || threshold > 100)
    problems.push({
      attr: 'threshold',
      code: 'invalid',
      detail: '"threshold" must be a percentage from 1 to 100.',
    });
  if (limit < 1 || limit > MAX_LIMIT)
    problems.push({ attr: 'limit', code: 'invalid', detail: `"limit" must be a number from 1 to ${MAX_LIMIT}.` });
  if (problems.length > 0) throw fieldErrors(problems);
  return { threshold, limit };
}

/** The consumer that adds edits to the memory: reads contain the edits that were saved before the call. */
type EditsConsumer = Pick<RunningConsumer, 'caughtUp' | 'readCaughtUp'>;

export function makeMemoryHandlers(
  deps: MemoryDeps,
  edits: EditsConsumer,
  admissions: Admissions,
): Pick<Implementation<'translation'>, MemoryMethod> {
  return {
    ...makeReadHandlers(deps, edits),
    ...makeEntryHandlers(deps),
    ...makeFileHandlers(deps, edits, admissions),
  };
}

function makeReadHandlers(
  deps: MemoryDeps,
  edits: EditsConsumer,
): Pick<Implementation<'translation'>, 'listMemory' | 'lookUpMemory'> {
  return {
    async listMemory(request, context) {
      const { page, size } = pageOf(request.page);
      const selection = selectionFromProto(request.filter);
      const found = await edits.readCaughtUp(CATCH_UP_MS, () =>
        listMemory(deps, context.caller, selection, page, size),
      );
      return { entries: found.items.map(entryToProto), total: found.total };
    },
    async lookUpMemory(request, context) {
      const query = {
        source: request.source,
        sourceLanguage: request.sourceLanguageCode,
        targetLanguage: request.targetLanguageCode,
        project: request.projectId,
        ...lookUpBounds(request),
      };
      return lookUpMatches(deps, edits, context, query);
    },
  };
}

/** Similar texts, with the edits that were saved before the call. @throws INVALID naming the field, PERMISSION_DENIED */
export async function lookUpMatches(
  deps: MemoryDeps,
  edits: Pick<EditsConsumer, 'readCaughtUp'>,
  { caller, catalogGeneration }: Pick<CallContext, 'caller' | 'catalogGeneration'>,
  query: LookUpRequest,
): Promise<proto.LookUpMemoryResponse> {
  const matches = await edits.readCaughtUp(CATCH_UP_MS, () => lookUpMemory(deps, caller, query, catalogGeneration));
  return { matches: matches.map((m) => ({ entry: entryToProto(m.entry), similarity: m.similarity })) };
}

function makeEntryHandlers(
  deps: MemoryDeps,
): Pick<Implementation<'translation'>, 'getMemoryEntry' | 'addMemoryEntry' | 'deleteMemoryEntry'> {
  return {
    async getMemoryEntry(request, context) {
      const id = requireId(request.id, 'id');
      return {
        entry: entryToProto(
          await permittedEntry(
            deps,
            context.caller,
            id,
            ['memory.edit', 'memory.delete'],
            'read',
            context.catalogGeneration,
          ),
        ),
      };
    },
    async addMemoryEntry({ entry }, context) {
      if (!entry) throw new ServiceError('INVALID', { message: '"entry" is required.' });
      const [source, target] = [requireTexts([entry.source], 'source'), requireTexts([entry.target], 'target')];
      const added = await addMemoryEntry(deps, context.caller, {
        source: source[0]!,
        target: target[0]!,
        sourceLanguage: { id: requireId(entry.sourceLanguageId, 'source_language'), code: entry.sourceLanguageCode },
        targetLanguage: { id: requireId(entry.targetLanguageId, 'target_language'), code: entry.targetLanguageCode },
        origin: entry.origin,
        project: entry.projectId,
        shared: entry.shared,
      });
      return { entry: entryToProto(added) };
    },
    async deleteMemoryEntry(request, context) {
      await deleteMemoryEntry(deps, context.caller, requireId(request.id, 'id'));
      return {};
    },
  };
}

function makeFileHandlers(
  deps: MemoryDeps,
  edits: EditsConsumer,
  admissions: Admissions,
): Pick<Implementation<'translation'>, 'importMemory' | 'exportMemory'> {
  return {
    async importMemory(requests, context) {
      const sender = { ...senderOf(context), maxBytes: MAX_MEMORY_FILE_BYTES };
      return admissions.people.receive(
        requests,
        (message) => message.chunk,
        sender,
        async ({ first, bytes }) => {
          const header = first?.header;
          if (!header) throw new ServiceError('INVALID', { message: 'The first message must contain the header.' });
          if (bytes.length === 0)
            throw fieldErrors([{ attr: 'file', code: 'required', detail: 'The file must not be empty.' }]);
          return importMemory(deps, context.caller, {
            filename: header.filename,
            project: header.projectId,
            shared: header.shared,
            sourceLanguage: header.sourceLanguageCode,
            bytes,
          });
        },
      );
    },
    async *exportMemory(request, context) {
      await edits.caughtUp(CATCH_UP_MS);
      const file = await exportMemory(deps, context.caller, selectionFromProto(request.filter), request.format);
      for await (const text of file) for (const chunk of chunks(Buffer.from(text))) yield { chunk };
    },
  };
}
