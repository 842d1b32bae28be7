import { createHash, randomUUID } from 'node:crypto';
import { can, denialMessage } from '@parlance/access';
import { ChangeAction } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { newEvent, type OutboxRelay, type OutgoingEvent } from '@parlance/events';
import type { CallContext } from '@parlance/grpc-kit';
import type { ObjectStore } from '@parlance/object-store';
import { FontError, MAX_FONTS, type Font } from '../../domain/font';
import { safeFilename } from '../../domain/image';
import type { CatalogClient, FontStore, OutboxId, ReadFont, UploadStore } from '../../domain/ports';
import type { Cleanup } from '../cleanup';
import { SOURCE, UPLOAD_MS } from '../screenshots';

export interface FontDeps {
  fonts: FontStore;
  uploads: UploadStore;
  objects: ObjectStore;
  catalog: Pick<CatalogClient, 'project'>;
  cleanup: Pick<Cleanup, 'schedule'>;
  relay: Pick<OutboxRelay<OutboxId>, 'flush'>;
  readFont: ReadFont;
}

/** @throws NOT_FOUND for a project hidden from the caller, PERMISSION_DENIED without the permission */
async function requireEditor(deps: FontDeps, projectId: number, context: CallContext): Promise<void> {
  const project = await deps.catalog.project(projectId, context);
  if (!project) throw new ServiceError('NOT_FOUND');
  if (!can(context.caller, 'project.edit', project))
    throw new ServiceError('PERMISSION_DENIED', { message: denialMessage(context.caller, project) });
}

const nameOf = ({ family, style }: Font): string => (style ? `${family} ${style}` : family);

/** Tells the checks about a font. */
const fontChanged = ({ projectId, id }: Font): OutgoingEvent =>
  newEvent(SOURCE, 'fontChanged', { projectId, fontId: id }, id);

function announcements(font: Font, action: number, userId: number): OutgoingEvent[] {
  const { projectId, filename } = font;
  const change = {
    action,
    projectId,
    userId,
    authorId: userId,
    target: nameOf(font),
    detailsJson: JSON.stringify({ filename }),
  };
  return [newEvent(SOURCE, 'changeMade', change, projectId), fontChanged(font)];
}

/** @throws INVALID on field font */
async function read(deps: FontDeps, bytes: Buffer): ReturnType<ReadFont> {
  try {
    return await deps.readFont(bytes);
  } catch (error) {
    if (!(error instanceof FontError)) throw error;
    throw fieldErrors([{ attr: 'font', code: error.code, detail: error.message }]);
  }
}

/** @throws NOT_FOUND, PERMISSION_DENIED, INVALID on field font */
export async function createFont(
  deps: FontDeps,
  { projectId, filename }: { projectId: number; filename: string },
  bytes: Buffer,
  context: CallContext,
): Promise<Font> {
  await requireEditor(deps, projectId, context);
  const { facts, widths, type } = await read(deps, bytes);
  if ((await deps.fonts.list(projectId, 0, 1)).total >= MAX_FONTS)
    throw fieldErrors([{ attr: 'font', code: 'max_length', detail: `A project can have at most ${MAX_FONTS} fonts.` }]);
  const key = `fonts/${randomUUID()}.${type.extension}`;
  await deps.uploads.expectObject(key, Date.now() + UPLOAD_MS);
  await deps.objects.put(key, bytes, { contentType: type.contentType });
  const font: Font = {
    id: await deps.fonts.newId(),
    projectId,
    ...facts,
    key,
    filename: safeFilename(filename, type.extension, 'font'),
    contentType: type.contentType,
    size: bytes.length,
    etag: createHash('sha256').update(bytes).digest('hex'),
    userId: context.caller.userId,
    createdMs: Date.now(),
  };
  const events = announcements(font, ChangeAction.fontAdded, context.caller.userId);
  if (!(await deps.fonts.add(font, widths, events))) {
    await deps.objects.delete(key);
    await deps.uploads.settleObject(key);
    throw new ServiceError('NOT_FOUND');
  }
  await deps.uploads.settleObject(key);
  await deps.relay.flush({ of: 'fonts', id: font.id }, events);
  return font;
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function requireFont(deps: FontDeps, projectId: number, id: number, context: CallContext): Promise<Font> {
  await requireEditor(deps, projectId, context);
  const font = await deps.fonts.get(id);
  if (font?.projectId !== projectId) throw new ServiceError('NOT_FOUND');
  return font;
}

/** @throws NOT_FOUND, PERMISSION_DENIED */
export async function deleteFont(deps: FontDeps, projectId: number, id: number, context: CallContext): Promise<void> {
  const font = await requireFont(deps, projectId, id, context);
  await remove(deps, font, announcements(font, ChangeAction.fontRemoved, context.caller.userId));
}

async function remove(deps: FontDeps, font: Font, events: OutgoingEvent[]): Promise<void> {
  if (!(await deps.fonts.remove(font, events))) throw new ServiceError('NOT_FOUND');
  await deps.relay.flush({ of: 'fonts', id: font.id }, events);
  await deps.cleanup.schedule();
}

/** Deletes the fonts of a deleted project. Idempotent. */
export async function deleteFontsOf(deps: FontDeps, projectId: number): Promise<void> {
  for (const font of (await deps.fonts.list(projectId, 0, Infinity)).fonts) {
    const events = [fontChanged(font)];
    if (await deps.fonts.remove(font, events)) await deps.relay.flush({ of: 'fonts', id: font.id }, events);
  }
}
