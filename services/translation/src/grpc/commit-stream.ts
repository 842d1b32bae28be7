import type { translation as proto } from '@parlance/contracts';
import { isServiceError, ServiceError } from '@parlance/errors';
import { chunks, requireId, type CallContext, requireService } from '@parlance/grpc-kit';
import type { FileAdmission, FileRoom } from '@parlance/workload';
import {
  markAllCommitted,
  readPending,
  type ListPendingDeps,
  type MarkCommittedDeps,
  type PendingSnapshot,
} from '../app/commit/commit-pending';
import { recordSkipped } from '../app/commit/record-skipped';
import type { Component } from '../domain/component';
import type { PendingGroup } from '../domain/pending';
import type { Translation } from '../domain/translation';
import { componentFromProto, groupToProto } from './mappers';
import { renderGroup, type RenderGroupDeps } from './render-group';
import { withFieldErrors } from './repository-files';
import { MAX_FILE_BYTES, senderOf } from './uploads';

export interface CommitStreamDeps extends RenderGroupDeps, ListPendingDeps, MarkCommittedDeps {
  units: RenderGroupDeps['units'] & ListPendingDeps['units'] & MarkCommittedDeps['units'];
  translations: ListPendingDeps['translations'] & MarkCommittedDeps['translations'];
  removals: ListPendingDeps['removals'];
}

export async function* commitPending(
  deps: CommitStreamDeps,
  admission: FileAdmission,
  requests: AsyncIterable<proto.CommitPendingRequest__Output>,
  context: CallContext,
): AsyncGenerator<proto.CommitPendingResponse> {
  requireService(context.caller);
  const stream = new CommitStream(deps, () => admission.room(MAX_FILE_BYTES, senderOf(context)));
  try {
    for await (const request of requests) yield* stream.answer(request);
  } finally {
    stream.release();
  }
}

interface OpenFile {
  group: PendingGroup;
  translation: Translation;
  intermediate: boolean;
  reservation: FileRoom;
}

class CommitStream {
  private component: Component | undefined;
  private snapshot: PendingSnapshot = { groups: [], units: [] };
  private groups: Pick<OpenFile, 'group' | 'translation'>[] = [];
  private file: OpenFile | undefined;

  constructor(
    private readonly deps: CommitStreamDeps,
    private readonly reserve: () => FileRoom,
  ) {}

  async *answer(request: proto.CommitPendingRequest__Output): AsyncGenerator<proto.CommitPendingResponse> {
    if (request.begin) yield { pending: await this.begin(request.begin) };
    if (request.file) this.open(request.file);
    if (request.chunk.length > 0) await this.openFile().reservation.add(request.chunk);
    if (request.endOfFile) yield* this.render(this.openFile());
    if (request.commits.length === 0) return;
    const commits = request.commits.map((c) => ({ ...c, translation: c.translationId }));
    await markAllCommitted(this.deps, commits, this.snapshot.units);
    yield { committed: true };
  }

  release(): void {
    this.file?.reservation.release();
    this.file = undefined;
  }

  private async begin(request: proto.ListPendingRequest__Output): Promise<proto.ListPendingResponse> {
    const known = await this.deps.catalog.component(requireId(request.componentId, 'component_id'), '');
    // A deleted component has no pending edits.
    if (!known) return { groups: [] };
    this.component = request.component ? componentFromProto(request.component, known) : known;
    this.snapshot = await readPending(this.deps, this.component, request.translationId);
    const ids = [...new Set(this.snapshot.groups.map((group) => group.translation))];
    const translations = new Map((await this.deps.translations.many(ids)).map((t) => [t.id, t]));
    this.groups = this.snapshot.groups.flatMap((group) => {
      const translation = translations.get(group.translation);
      return translation ? [{ group, translation }] : [];
    });
    return { groups: this.groups.map(({ group, translation }) => groupToProto(group, translation)) };
  }

  private open({ group, intermediate }: proto.PendingFile__Output): void {
    const chosen = this.groups[group];
    if (!chosen || this.file)
      throw new ServiceError('INVALID', {
        message: '"file" requires a listed group, and must follow the end of the previous file.',
      });
    this.file = { ...chosen, intermediate, reservation: this.reserve() };
  }

  private openFile(): OpenFile {
    if (!this.file) throw new ServiceError('INVALID', { message: '"chunk" and "end_of_file" must follow "file".' });
    return this.file;
  }

  private async *render(file: OpenFile): AsyncGenerator<proto.CommitPendingResponse> {
    const { translation, group, intermediate, reservation } = file;
    try {
      const bytes = reservation.whole();
      const rendered = await withFieldErrors(() =>
        renderGroup(this.deps, { component: this.component!, translation, group, intermediate }, bytes),
      );
      await recordSkipped(this.deps, rendered.skipped);
      const { editIds, changed } = rendered;
      yield { result: { editIds, skippedUnitIds: rendered.skipped.map(({ unit }) => unit), changed } };
      for (const chunk of chunks(rendered.bytes)) yield { chunk };
      yield { endOfFile: true };
    } catch (error) {
      if (!isServiceError(error, 'INVALID')) throw error;
      yield { error: error.message };
    } finally {
      this.release();
    }
  }
}
