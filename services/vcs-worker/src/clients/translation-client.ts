import type { translation as proto } from '@parlance/contracts';
import { isServiceError, ServiceError } from '@parlance/errors';
import { chunks, type CallOptions, type Client } from '@parlance/grpc-kit';
import { componentInfo, type Component } from '../domain/component';
import type { ImportAnswer, ImportFile, ImportOptions, PendingGroup, TranslationClient } from '../domain/ports';
import { openPendingCommits } from './pending-commits-client';

/** Importing a large repository takes long; users follow its progress. */
const IMPORT_TIMEOUT_MS = 6 * 3600 * 1000;
const FILE_TIMEOUT_MS = 300_000;
const PAGE = 10_000;

const kinds = {
  translation: 'IMPORT_FILE_KIND_TRANSLATION',
  template: 'IMPORT_FILE_KIND_TEMPLATE',
  newBase: 'IMPORT_FILE_KIND_NEW_BASE',
  intermediate: 'IMPORT_FILE_KIND_INTERMEDIATE',
} as const;

async function* importSteps(
  component: Component,
  options: ImportOptions,
  files: AsyncIterable<ImportFile>,
): AsyncGenerator<proto.ImportFilesRequest> {
  yield {
    begin: {
      component: componentInfo(component),
      complete: options.complete,
      initial: options.initial,
      upload: options.upload === true,
      repository: options.lease.repository,
      leaseToken: options.lease.token,
      ...(options.author ? { author: options.author } : {}),
      ...(options.marks ? { marks: options.marks } : {}),
    },
  };
  for await (const file of files) {
    yield {
      fileBegin: {
        path: file.path,
        language: file.language,
        fileLanguageCode: file.code,
        revision: file.hash,
        kind: kinds[file.kind],
        size: file.bytes.length,
      },
    };
    for (const chunk of chunks(file.bytes)) yield { chunk };
    yield { fileEnd: {} };
  }
  yield { end: {} };
}

async function* renderSteps(
  request: proto.RenderPendingRequest,
  bytes: Buffer,
): AsyncGenerator<proto.RenderPendingRequest> {
  yield request;
  for (const chunk of chunks(bytes)) yield { chunk };
}

/** Collects the result of the first message and the bytes of all messages. */
async function collect<R>(
  messages: AsyncIterable<{ result: R | null; chunk: Buffer }>,
): Promise<{ result: R; bytes: Buffer }> {
  let result: R | null = null;
  const parts: Buffer[] = [];
  for await (const message of messages) {
    result ??= message.result;
    if (message.chunk.length > 0) parts.push(message.chunk);
  }
  if (!result) throw new ServiceError('INTERNAL', { message: 'The translation service returned no result.' });
  return { result, bytes: Buffer.concat(parts) };
}

type CallOptionsOf = (timeoutMs?: number) => CallOptions;

/** Pending edits and the files that they are written to. */
function pendingMethods(
  client: Client<'translation'>,
  callOptions: CallOptionsOf,
): Pick<
  TranslationClient,
  'pending' | 'openPending' | 'anyPending' | 'render' | 'merge' | 'recordConflicts' | 'discard'
> {
  return {
    async pending(component) {
      const request = { componentId: component.settings.id, component: componentInfo(component) };
      return (await client.listPending(request, callOptions())).groups;
    },
    openPending: (component) => openPendingCommits(client, component, callOptions(IMPORT_TIMEOUT_MS)),
    async anyPending(components) {
      return (await client.hasPending({ componentIds: [...components] }, callOptions())).pending;
    },
    async render(component: Component, group: PendingGroup, bytes: Buffer) {
      const request = { group, component: componentInfo(component) };
      const { result, bytes: rendered } = await collect(
        client.renderPending(renderSteps(request, bytes), callOptions(FILE_TIMEOUT_MS)),
      );
      return {
        bytes: rendered,
        editIds: result.editIds,
        skipped: result.skippedUnitIds.length,
        changed: result.changed,
      };
    },
    async merge(component, translationId, versions) {
      const send = async function* (): AsyncGenerator<proto.MergeFileRequest> {
        yield { header: { component: componentInfo(component), translationId } };
        for (const bytes of [versions.base, versions.local, versions.upstream]) {
          for (const chunk of chunks(bytes)) yield { chunk };
          yield { endOfVersion: true };
        }
      };
      const { result, bytes } = await collect(client.mergeFile(send(), callOptions(FILE_TIMEOUT_MS)));
      return { bytes, conflicts: result.conflicts };
    },
    async recordConflicts(conflicts, upstreamCommit) {
      await client.recordConflicts({ conflicts: [...conflicts], upstreamCommit }, callOptions(FILE_TIMEOUT_MS));
    },
    async discard(component) {
      await client.discardPending({ componentId: component }, callOptions(FILE_TIMEOUT_MS));
    },
  };
}

/** Translations, their files and imports. */
function translationMethods(
  client: Client<'translation'>,
  callOptions: CallOptionsOf,
): Pick<TranslationClient, 'import' | 'list' | 'get' | 'remove' | 'file' | 'autotranslate'> {
  return {
    async *import(component, options, files): AsyncGenerator<ImportAnswer> {
      for await (const answer of client.importFiles(importSteps(component, options, files), {
        ...callOptions(IMPORT_TIMEOUT_MS),
        ...(options.signal ? { signal: options.signal } : {}),
      })) {
        if (answer.file) yield { file: answer.file };
        else if (answer.summary) yield { summary: answer.summary };
      }
    },
    async list(component) {
      const found: proto.Translation__Output[] = [];
      for (let page = 1; ; page++) {
        const { translations } = await client.listTranslations(
          { componentIds: [component], page: { page, pageSize: PAGE } },
          callOptions(),
        );
        found.push(...translations);
        if (translations.length < PAGE) return found;
      }
    },
    async get(id) {
      try {
        return (await client.getTranslation({ id }, callOptions())).translation;
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return null;
        throw error;
      }
    },
    async remove(id, author) {
      await client.deleteTranslation({ id, author }, callOptions(FILE_TIMEOUT_MS));
    },
    async file(id) {
      const parts: Buffer[] = [];
      try {
        for await (const message of client.downloadFile({ translationId: id }, callOptions(FILE_TIMEOUT_MS)))
          parts.push(message.chunk);
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return null;
        throw error;
      }
      return Buffer.concat(parts);
    },
    async autotranslate(translationId, request) {
      return (await client.autotranslate({ ...request, translationId, waitMs: 0 }, callOptions(IMPORT_TIMEOUT_MS)))
        .details;
    },
  };
}

/** Strings with their suggestions and comments. */
function unitMethods(
  client: Client<'translation'>,
  callOptions: CallOptionsOf,
): Pick<TranslationClient, 'units' | 'unit' | 'edit' | 'removeOldSuggestions' | 'removeOldComments'> {
  return {
    async units(translationId, query) {
      const found: proto.Unit__Output[] = [];
      for await (const { units } of client.streamUnits({ translationId, q: query }, callOptions(FILE_TIMEOUT_MS)))
        found.push(...units);
      return found;
    },
    async unit(id) {
      try {
        return (await client.getUnit({ id }, callOptions())).unit;
      } catch (error) {
        if (isServiceError(error, 'NOT_FOUND')) return null;
        throw error;
      }
    },
    async edit(id, { target, state, extraFlags, labels }, addon) {
      await client.updateUnit(
        {
          id,
          ...(target ? { target, hasTarget: true } : {}),
          ...(state === undefined ? {} : { state }),
          ...(extraFlags === undefined ? {} : { extraFlags }),
          ...(labels ? { labelIds: labels, hasLabels: true } : {}),
          addon,
        },
        callOptions(),
      );
    },
    async removeOldSuggestions(component, before, maxVotes) {
      const request = { componentId: component, beforeMs: before, maxVotes };
      return (await client.removeOldSuggestions(request, callOptions(FILE_TIMEOUT_MS))).removed;
    },
    async removeOldComments(component, before) {
      return (
        await client.removeOldComments({ componentId: component, beforeMs: before }, callOptions(FILE_TIMEOUT_MS))
      ).removed;
    },
  };
}

/** The translation service over gRPC. */
export function makeTranslationClient(client: Client<'translation'>, callerToken: () => string): TranslationClient {
  const callOptions = (timeoutMs = 30_000): CallOptions => ({ as: callerToken(), timeoutMs });
  return {
    ...pendingMethods(client, callOptions),
    ...translationMethods(client, callOptions),
    ...unitMethods(client, callOptions),
  };
}
