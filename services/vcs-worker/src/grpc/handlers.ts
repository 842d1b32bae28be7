import { can } from '@parlance/access';
import type { vcsWorker } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { chunks, requireId, requireService, type CallContext, type Implementation } from '@parlance/grpc-kit';
import type { FileAdmission } from '@parlance/workload';
import { randomUUID } from 'node:crypto';
import { loadStartedTask } from '../app/tasks/load-started-task';
import { addLanguage, removeLanguage } from '../app/files/languages';
import { replaceFile } from '../app/files/replace-file';
import { readComponentFile } from '../app/files/read-file';
import { runOperation, type Operation } from '../app/repository/run-operation';
import type { Deps } from '../app/deps';
import { prepareRepository, type PreparedRepository } from '../app/repository/prepare-repository';
import { repositoryStatus } from '../app/repository/repository-status';
import { serveGit } from '../app/repository/serve-git';
import { asServiceError } from '../app/repository/with-repository';
import { accessTarget } from '../domain/component';
import { isOver, MAX_LOG_LINES, REPORT_MAX_SILENCE_MS, type Task } from '../domain/task';
import { makeOperatorHandlers } from './operator-handlers';
import { requireTaskId } from './task-id';

const MAX_ARCHIVE_BYTES = 128 * 1024 * 1024;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_IDS = 10_000;
/** Maximum size of a git client's request, in bytes. */
const MAX_GIT_REQUEST_BYTES = 10 * 1024 * 1024;

const operationNames: Partial<Record<string, Operation>> = {
  OPERATION_COMMIT: 'commit',
  OPERATION_PULL: 'pull',
  OPERATION_PUSH: 'push',
  OPERATION_RESET: 'reset',
  OPERATION_CLEANUP: 'cleanup',
  OPERATION_FILE_SYNC: 'file-sync',
  OPERATION_FILE_SCAN: 'file-scan',
  OPERATION_PULL_REBASE: 'pull-rebase',
  OPERATION_PULL_MERGE: 'pull-merge',
  OPERATION_PULL_MERGE_NOFF: 'pull-merge-noff',
  OPERATION_RESET_KEEP: 'reset-keep',
};

function requireIds(values: readonly number[]): number[] {
  if (values.length === 0 || values.length > MAX_IDS)
    throw fieldErrors([{ attr: 'component_ids', code: 'invalid', detail: `1 to ${MAX_IDS} components are required.` }]);
  return values.map((value) => requireId(value, 'component_ids'));
}

/** Receives a file with its header and handles it once memory is available. @throws TOO_LARGE, OVERLOADED */
function receiveFile<H, R>(
  files: FileAdmission,
  messages: AsyncIterable<{ header: H | null; chunk: Buffer }>,
  { caller, signal }: CallContext,
  maxBytes: number,
  work: (header: H, bytes: Buffer) => Promise<R>,
): Promise<R> {
  const peer = caller.service ? `service ${caller.service}` : `user ${caller.userId}`;
  return files.receive(
    messages,
    (message) => message.chunk,
    { caller: peer, signal, maxBytes },
    async ({ first, bytes }) => {
      if (!first?.header) throw new ServiceError('INVALID', { message: 'The first message must be the header.' });
      return work(first.header, bytes);
    },
  );
}

function taskToProto(task: Task): vcsWorker.Task {
  const over = isOver(task);
  return {
    id: task.id,
    completed: over,
    progress: over ? 100 : task.progress,
    resultJson: JSON.stringify(task.result ?? null),
    log: task.log.join('\n'),
    componentId: task.component,
  };
}

/** Task of a deleted component, visible to every caller with its id, so that polling ends. */
const deletedTask = (id: string): vcsWorker.Task => ({
  id,
  completed: true,
  progress: 100,
  resultJson: JSON.stringify('The component is gone.'),
});

const preparedToProto = (prepared: PreparedRepository) => ({
  taskId: prepared.task,
  branch: prepared.branch,
  files: prepared.files,
});

/** gRPC handlers of the use cases. */
export function makeHandlers(
  deps: Deps,
  cancelLocally: (task: string) => void,
  admission: FileAdmission,
): Implementation<'vcs-worker'> {
  const prepare = (
    request: vcsWorker.PrepareRepositoryRequest__Output,
    archive: Buffer | null,
    context: CallContext,
  ) => {
    if (context.caller.anonymous) throw new ServiceError('PERMISSION_DENIED');
    return mapGitErrors(() => prepareRepository(deps, request, archive, context.caller.userId, context.signal));
  };
  return {
    ...makeOperatorHandlers(deps),
    async prepareRepository(request, context) {
      return preparedToProto(await prepare(request, request.archive.length > 0 ? request.archive : null, context));
    },
    async prepareRepositoryFromFile(requests, context) {
      return receiveFile(
        admission,
        requests,
        context,
        MAX_ARCHIVE_BYTES,
        async (header: vcsWorker.PrepareRepositoryRequest__Output, bytes) => {
          if (bytes.length === 0)
            throw fieldErrors([
              {
                attr: header.archiveKind === 'zip' ? 'zipfile' : 'docfile',
                code: 'required',
                detail: 'The file is empty.',
              },
            ]);
          return preparedToProto(await prepare(header, bytes, context));
        },
      );
    },
    async getRepositoryStatus(request, context) {
      return repositoryStatus(deps, context.caller, requireIds(request.componentIds));
    },
    async runOperation(request, context) {
      const operation = operationNames[request.operation];
      if (!operation)
        throw fieldErrors([{ attr: 'operation', code: 'invalid_choice', detail: 'The operation does not exist.' }]);
      return mapGitErrors(() => runOperation(deps, context.caller, requireIds(request.componentIds), operation));
    },
    async *readFile({ componentId, path }, context) {
      const id = requireId(componentId, 'component_id');
      const file = await mapGitErrors(() => readComponentFile(deps, context.caller, id, path));
      let revision = file.hash;
      for (const chunk of file.bytes.length > 0 ? chunks(file.bytes) : [Buffer.alloc(0)]) {
        yield { chunk, revision };
        revision = '';
      }
    },
    async *uploadPack({ componentId, protocol, advertise, body }, context) {
      if (protocol !== 0 && protocol !== 1 && protocol !== 2)
        throw fieldErrors([{ attr: 'protocol', code: 'invalid', detail: 'The value must be 0, 1 or 2.' }]);
      if (body.length > MAX_GIT_REQUEST_BYTES) throw new ServiceError('TOO_LARGE');
      const exchange = { protocol, body: advertise ? null : body } as const;
      const id = requireId(componentId, 'component_id');
      for await (const chunk of serveGit(deps, context.caller, id, exchange, context.signal)) yield { chunk };
    },
    async addLanguage(request, context) {
      return {
        translationId: await mapGitErrors(() =>
          addLanguage(deps, context.caller, requireId(request.componentId, 'component_id'), request.languageCode),
        ),
      };
    },
    async removeLanguage(request, context) {
      await mapGitErrors(() =>
        removeLanguage(
          deps,
          context.caller,
          requireId(request.componentId, 'component_id'),
          requireId(request.translationId, 'translation_id'),
        ),
      );
      return {};
    },
    async replaceFile(requests, context) {
      return receiveFile(
        admission,
        requests,
        context,
        MAX_FILE_BYTES,
        (header: vcsWorker.ReplaceFileHeader__Output, bytes) =>
          mapGitErrors(() =>
            replaceFile(deps, context.caller, {
              component: requireId(header.componentId, 'component_id'),
              path: header.path,
              bytes,
              message: header.message,
              author: header.author,
              updateTranslations: header.updateTranslations,
            }),
          ),
      );
    },
    async getTask(request, context) {
      const task = await loadStartedTask(deps, requireTaskId(request.id));
      const isVisible =
        task.component === 0 ||
        context.caller.service !== undefined ||
        (await deps.catalog.visible(task.component, context.callerToken));
      if (isVisible) return { task: taskToProto(task) };
      if (await deps.catalog.component(task.component)) throw new ServiceError('NOT_FOUND');
      return { task: deletedTask(task.id) };
    },
    async cancelTask(request, context) {
      const task = await loadStartedTask(deps, requireTaskId(request.id));
      if (!context.caller.service) {
        const component = task.component === 0 ? null : await deps.catalog.component(task.component);
        if (!component || !can(context.caller, 'component.edit', accessTarget(component)))
          throw new ServiceError('PERMISSION_DENIED');
      }
      await deps.tasks.cancel(task.id);
      cancelLocally(task.id);
      return {};
    },
    async reportTask(request, context) {
      requireService(context.caller);
      if (request.progress < 0 || request.progress > 100)
        throw fieldErrors([{ attr: 'progress', code: 'invalid', detail: 'A percentage is required.' }]);
      const id = request.id === '' ? randomUUID() : requireTaskId(request.id);
      const report = {
        id,
        kind: 'report' as const,
        component: request.componentId,
        user: 0,
        state: request.completed ? ('done' as const) : ('running' as const),
        progress: request.completed ? 100 : request.progress,
        result: request.resultJson === '' ? undefined : readJson(request.resultJson),
        log: request.log.slice(-MAX_LOG_LINES),
        changed: [],
        attempts: 0,
      };
      await deps.tasks.upsertReport(report, new Date(Date.now() + REPORT_MAX_SILENCE_MS));
      return { id };
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fieldErrors([{ attr: 'result_json', code: 'invalid', detail: 'The value must be JSON.' }]);
  }
}

/** Maps git failures to errors of the contract. */
async function mapGitErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asServiceError(error);
  }
}
