import { createHash, randomUUID } from 'node:crypto';
import { can, denialMessage, type Permission } from '@parlance/access';
import { fieldErrors, isServiceError, joinProblems, noting, refuse, ServiceError } from '@parlance/errors';
import { newEvent, type OutboxRelay, type OutgoingEvent } from '@parlance/events';
import type { CallContext } from '@parlance/grpc-kit';
import type { ObjectStore } from '@parlance/object-store';
import { pauseAfter } from '@parlance/store-kit';
import { ImageError, safeFilename, type PreparedImage } from '../domain/image';
import { StaleError, type Directory, type PrepareImage, type ScreenshotStore } from '../domain/ports';
import { MAX_UNITS, nameProblems, repositoryFilenameProblems, type Image, type Screenshot } from '../domain/screenshot';
import type { Cleanup } from './cleanup';

/** Name under which this service announces. */
export const SOURCE = 'media';
/** Numbers of the changes that screenshots leave in the history. */
const ACTION_ADDED = 57;
const ACTION_REPLACED = 58;
/** How long an upload may take from the first byte in the bucket to the write that refers to it, in milliseconds. */
const UPLOAD_MS = 10 * 60_000;
/** Tries after somebody else wrote the same screenshot at the same moment. */
const MAX_TRIES = 20;

export interface Parts {
  screenshots: ScreenshotStore;
  objects: ObjectStore;
  directory: Directory;
  cleanup: Pick<Cleanup, 'soon'>;
  relay: Pick<OutboxRelay<number>, 'flush'>;
  prepare: PrepareImage;
}

export interface NewScreenshot {
  name: string;
  componentId: number;
  translationId: number;
  filename: string;
  repositoryFilename: string;
}

/** @throws INVALID on field image */
async function prepare(parts: Parts, bytes: Buffer): Promise<PreparedImage> {
  try {
    return await parts.prepare(bytes);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw fieldErrors([{ attr: 'image', code: error.code, detail: error.message }]);
  }
}

/** @throws NOT_FOUND for a component that the caller cannot see, PERMISSION_DENIED without the right */
async function demand(
  parts: Parts,
  permission: Permission,
  componentId: number,
  languageCode: string,
  context: CallContext,
): Promise<void> {
  const component = await parts.directory.component(componentId, context);
  if (!component) throw new ServiceError('NOT_FOUND');
  if (!can(context.principal, permission, { ...component, languageCode }))
    throw new ServiceError('PERMISSION_DENIED', { message: denialMessage(context.principal, component) });
}

async function existing(parts: Parts, id: number, permission: Permission, context: CallContext): Promise<Screenshot> {
  const screenshot = await parts.screenshots.get(id);
  if (!screenshot) throw new ServiceError('NOT_FOUND');
  await demand(parts, permission, screenshot.componentId, screenshot.languageCode, context);
  return screenshot;
}

/** Runs a change on the newest version, again when somebody else was faster; nothing is written when there is nothing to change. */
async function change(
  parts: Parts,
  current: Screenshot,
  edit: (current: Screenshot) => Screenshot,
  events: OutgoingEvent[] = [],
): Promise<Screenshot> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await parts.screenshots.replace({ ...edit(current), updatedMs: Date.now() }, current.image.key, events);
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
      if (attempt === MAX_TRIES) throw new ServiceError('CONFLICT', { cause: error });
      await pauseAfter(attempt);
      const newer = await parts.screenshots.get(current.id);
      if (!newer) throw new ServiceError('NOT_FOUND', { cause: error });
      current = newer;
    }
  }
}

/** Puts the bytes into the bucket, noted as unused until something refers to them. */
async function store(parts: Parts, image: PreparedImage, filename: string): Promise<Image> {
  const key = `screenshots/${randomUUID()}.${image.extension}`;
  await parts.screenshots.expectObject(key, Date.now() + UPLOAD_MS);
  await parts.objects.put(key, image.bytes, { contentType: image.contentType });
  return {
    key,
    filename: safeFilename(filename, image.extension),
    contentType: image.contentType,
    size: image.bytes.length,
    width: image.width,
    height: image.height,
    etag: createHash('sha256').update(image.bytes).digest('hex'),
  };
}

async function discard(parts: Parts, key: string): Promise<void> {
  await parts.objects.delete(key);
  await parts.screenshots.settleObject(key);
}

const changeMade = (action: number, screenshot: Screenshot, userId: number): OutgoingEvent =>
  newEvent(
    SOURCE,
    'changeMade',
    {
      action,
      projectId: screenshot.projectId,
      componentId: screenshot.componentId,
      translationId: screenshot.translationId,
      userId,
      authorId: userId,
      target: screenshot.name,
    },
    screenshot.componentId,
  );

/**
 * @throws NOT_FOUND, PERMISSION_DENIED, INVALID naming language_code, or name, repository_filename and image with what the caller knew to be
 * wrong
 */
export async function createScreenshot(
  parts: Parts,
  input: NewScreenshot,
  bytes: Buffer,
  context: CallContext,
): Promise<Screenshot> {
  const translation = await parts.directory.translation(input.translationId);
  if (translation?.componentId !== input.componentId) {
    throw fieldErrors([
      { attr: 'language_code', code: 'does_not_exist', detail: 'The component has no such translation.' },
    ]);
  }
  const { projectId, componentId, languageCode } = translation;
  await demand(parts, 'screenshot.add', componentId, languageCode, context);
  const problems = [...nameProblems(input.name), ...repositoryFilenameProblems(input.repositoryFilename)];
  const image = await noting(problems, () => prepare(parts, bytes));
  const wrong = joinProblems(context.problems, problems);
  if (wrong.length > 0 || !image) throw fieldErrors(wrong);
  const now = Date.now();
  const screenshot: Screenshot = {
    id: await parts.screenshots.newId(),
    version: 1,
    name: input.name,
    projectId,
    componentId,
    translationId: input.translationId,
    languageCode,
    repositoryFilename: input.repositoryFilename,
    unitIds: [],
    image: await store(parts, image, input.filename),
    userId: context.principal.userId,
    createdMs: now,
    updatedMs: now,
  };
  const events = [changeMade(ACTION_ADDED, screenshot, context.principal.userId)];
  if (!(await parts.screenshots.add(screenshot, events))) {
    await discard(parts, screenshot.image.key);
    throw new ServiceError('NOT_FOUND');
  }
  await parts.screenshots.settleObject(screenshot.image.key);
  await parts.relay.flush(screenshot.id, events);
  return screenshot;
}

export async function replaceImage(
  parts: Parts,
  id: number,
  filename: string,
  bytes: Buffer,
  context: CallContext,
): Promise<Screenshot> {
  const current = await existing(parts, id, 'screenshot.edit', context);
  const image = await store(parts, await prepare(parts, bytes), filename);
  const events = [changeMade(ACTION_REPLACED, current, context.principal.userId)];
  const stored = await change(parts, current, (newest) => ({ ...newest, image }), events).catch(
    async (error: unknown) => {
      // After any other failure the write may have been made all the same: then the sweep of stray objects decides.
      if (isServiceError(error)) await discard(parts, image.key);
      throw error;
    },
  );
  await parts.screenshots.settleObject(image.key);
  await parts.relay.flush(id, events);
  await parts.cleanup.soon();
  return stored;
}

export async function updateScreenshot(
  parts: Parts,
  id: number,
  patch: { name?: string | undefined; repositoryFilename?: string | undefined },
  context: CallContext,
): Promise<Screenshot> {
  const screenshot = await existing(parts, id, 'screenshot.edit', context);
  const { name, repositoryFilename } = patch;
  refuse(context.problems, [
    ...(name === undefined ? [] : nameProblems(name)),
    ...repositoryFilenameProblems(repositoryFilename ?? ''),
  ]);
  if (name === undefined && repositoryFilename === undefined) return screenshot;
  return change(parts, screenshot, (current) => ({
    ...current,
    name: name ?? current.name,
    repositoryFilename: repositoryFilename ?? current.repositoryFilename,
  }));
}

export async function attachUnit(parts: Parts, id: number, unitId: number, context: CallContext): Promise<Screenshot> {
  const screenshot = await existing(parts, id, 'screenshot.edit', context);
  if ((await parts.directory.translationOfUnit(unitId)) !== screenshot.translationId) {
    throw fieldErrors([
      { attr: 'unit_id', code: 'does_not_exist', detail: 'The translation of the screenshot has no such string.' },
    ]);
  }
  const attached = await parts.screenshots.attach(id, unitId, MAX_UNITS, Date.now());
  if (attached === 'full')
    throw fieldErrors([
      { attr: 'unit_id', code: 'max_length', detail: `A screenshot shows at most ${MAX_UNITS} strings.` },
    ]);
  return present(attached);
}

export async function detachUnit(parts: Parts, id: number, unitId: number, context: CallContext): Promise<Screenshot> {
  await existing(parts, id, 'screenshot.edit', context);
  return present(await parts.screenshots.detach(id, unitId, Date.now()));
}

function present(found: Screenshot | null): Screenshot {
  if (!found) throw new ServiceError('NOT_FOUND');
  return found;
}

export async function deleteScreenshot(parts: Parts, id: number, context: CallContext): Promise<void> {
  await existing(parts, id, 'screenshot.delete', context);
  if (!(await parts.screenshots.remove(id))) throw new ServiceError('NOT_FOUND');
  await parts.cleanup.soon();
}
