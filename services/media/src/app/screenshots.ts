import { createHash, randomUUID } from 'node:crypto';
import { can, denialMessage, type Permission } from '@parlance/access';
import {
  fieldErrors,
  isServiceError,
  joinProblems,
  collectProblems,
  throwIfInvalid,
  ServiceError,
} from '@parlance/errors';
import { newEvent, type OutboxRelay, type OutgoingEvent } from '@parlance/events';
import type { CallContext } from '@parlance/grpc-kit';
import type { ObjectStore } from '@parlance/object-store';
import { LOST_RACE, optimisticUpdate } from '@parlance/store-kit';
import { ImageError, safeFilename, type PreparedImage } from '../domain/image';
import {
  StaleError,
  type CatalogClient,
  type PrepareImage,
  type ScreenshotStore,
  type TranslationClient,
  type OutboxId,
  type UploadStore,
} from '../domain/ports';
import { MAX_UNITS, nameProblems, repositoryFilenameProblems, type Image, type Screenshot } from '../domain/screenshot';
import type { Cleanup } from './cleanup';

/** Source of this service's events. */
export const SOURCE = 'media';
/** History actions of screenshots, by their numbers in the public API. */
const ACTION_ADDED = 57;
const ACTION_REPLACED = 58;
/** Maximum time between the upload of an object and the write that refers to it, in milliseconds. */
export const UPLOAD_MS = 10 * 60_000;

export interface Deps {
  screenshots: ScreenshotStore;
  uploads: UploadStore;
  objects: ObjectStore;
  catalog: CatalogClient;
  translations: TranslationClient;
  cleanup: Pick<Cleanup, 'schedule'>;
  relay: Pick<OutboxRelay<OutboxId>, 'flush'>;
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
async function prepare(deps: Deps, bytes: Buffer): Promise<PreparedImage> {
  try {
    return await deps.prepare(bytes);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    throw fieldErrors([{ attr: 'image', code: error.code, detail: error.message }]);
  }
}

/** @throws NOT_FOUND for a component hidden from the caller, PERMISSION_DENIED without the permission */
async function requirePermission(
  deps: Deps,
  permission: Permission,
  componentId: number,
  languageCode: string,
  context: CallContext,
): Promise<void> {
  const component = await deps.catalog.component(componentId, context);
  if (!component) throw new ServiceError('NOT_FOUND');
  if (!can(context.caller, permission, { ...component, languageCode }))
    throw new ServiceError('PERMISSION_DENIED', { message: denialMessage(context.caller, component) });
}

async function requireScreenshot(
  deps: Deps,
  id: number,
  permission: Permission,
  context: CallContext,
): Promise<Screenshot> {
  const screenshot = await deps.screenshots.get(id);
  if (!screenshot) throw new ServiceError('NOT_FOUND');
  await requirePermission(deps, permission, screenshot.componentId, screenshot.languageCode, context);
  return screenshot;
}

/** Applies an edit with optimistic concurrency. @throws NOT_FOUND, CONFLICT */
async function change(
  deps: Deps,
  current: Screenshot,
  edit: (current: Screenshot) => Screenshot,
  events: OutgoingEvent[] = [],
): Promise<Screenshot> {
  return optimisticUpdate(async (attempt) => {
    const newest = attempt === 1 ? current : await deps.screenshots.get(current.id);
    if (!newest) throw new ServiceError('NOT_FOUND');
    try {
      return await deps.screenshots.replace({ ...edit(newest), updatedMs: Date.now() }, newest.image.key, events);
    } catch (error) {
      if (error instanceof StaleError) return LOST_RACE;
      throw error;
    }
  });
}

/** Uploads the bytes, recorded as unused until a screenshot refers to them. */
async function store(deps: Deps, image: PreparedImage, filename: string): Promise<Image> {
  const key = `screenshots/${randomUUID()}.${image.extension}`;
  await deps.uploads.expectObject(key, Date.now() + UPLOAD_MS);
  await deps.objects.put(key, image.bytes, { contentType: image.contentType });
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

async function discard(deps: Deps, key: string): Promise<void> {
  await deps.objects.delete(key);
  await deps.uploads.settleObject(key);
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
 * @throws NOT_FOUND, PERMISSION_DENIED, INVALID on language_code, or on name, repository_filename and image together with the problems of
 * the call
 */
export async function createScreenshot(
  deps: Deps,
  input: NewScreenshot,
  bytes: Buffer,
  context: CallContext,
): Promise<Screenshot> {
  const translation = await deps.translations.translation(input.translationId);
  if (translation?.componentId !== input.componentId) {
    throw fieldErrors([
      { attr: 'language_code', code: 'does_not_exist', detail: 'The translation does not exist in the component.' },
    ]);
  }
  const { projectId, componentId, languageCode } = translation;
  await requirePermission(deps, 'screenshot.add', componentId, languageCode, context);
  const problems = [...nameProblems(input.name), ...repositoryFilenameProblems(input.repositoryFilename)];
  const image = await collectProblems(problems, () => prepare(deps, bytes));
  const wrong = joinProblems(context.problems, problems);
  if (wrong.length > 0 || !image) throw fieldErrors(wrong);
  const now = Date.now();
  const screenshot: Screenshot = {
    id: await deps.screenshots.newId(),
    version: 1,
    name: input.name,
    projectId,
    componentId,
    translationId: input.translationId,
    languageCode,
    repositoryFilename: input.repositoryFilename,
    unitIds: [],
    image: await store(deps, image, input.filename),
    userId: context.caller.userId,
    createdMs: now,
    updatedMs: now,
  };
  const events = [changeMade(ACTION_ADDED, screenshot, context.caller.userId)];
  if (!(await deps.screenshots.add(screenshot, events))) {
    await discard(deps, screenshot.image.key);
    throw new ServiceError('NOT_FOUND');
  }
  await deps.uploads.settleObject(screenshot.image.key);
  await deps.relay.flush({ of: 'screenshots', id: screenshot.id }, events);
  return screenshot;
}

export async function replaceImage(
  deps: Deps,
  id: number,
  filename: string,
  bytes: Buffer,
  context: CallContext,
): Promise<Screenshot> {
  const current = await requireScreenshot(deps, id, 'screenshot.edit', context);
  const image = await store(deps, await prepare(deps, bytes), filename);
  const events = [changeMade(ACTION_REPLACED, current, context.caller.userId)];
  const stored = await change(deps, current, (newest) => ({ ...newest, image }), events).catch(
    async (error: unknown) => {
      // After any other failure the write may have succeeded: the sweep of stray objects decides.
      if (isServiceError(error)) await discard(deps, image.key);
      throw error;
    },
  );
  await deps.uploads.settleObject(image.key);
  await deps.relay.flush({ of: 'screenshots', id }, events);
  await deps.cleanup.schedule();
  return stored;
}

export async function updateScreenshot(
  deps: Deps,
  id: number,
  patch: { name?: string | undefined; repositoryFilename?: string | undefined },
  context: CallContext,
): Promise<Screenshot> {
  const screenshot = await requireScreenshot(deps, id, 'screenshot.edit', context);
  const { name, repositoryFilename } = patch;
  throwIfInvalid(context.problems, [
    ...(name === undefined ? [] : nameProblems(name)),
    ...repositoryFilenameProblems(repositoryFilename ?? ''),
  ]);
  if (name === undefined && repositoryFilename === undefined) return screenshot;
  return change(deps, screenshot, (current) => ({
    ...current,
    name: name ?? current.name,
    repositoryFilename: repositoryFilename ?? current.repositoryFilename,
  }));
}

export async function attachUnit(deps: Deps, id: number, unitId: number, context: CallContext): Promise<Screenshot> {
  const screenshot = await requireScreenshot(deps, id, 'screenshot.edit', context);
  if ((await deps.translations.translationOfUnit(unitId)) !== screenshot.translationId) {
    throw fieldErrors([
      { attr: 'unit_id', code: 'does_not_exist', detail: "The string does not exist in the screenshot's translation." },
    ]);
  }
  const attached = await deps.screenshots.attach(id, unitId, MAX_UNITS, Date.now());
  if (attached === 'full')
    throw fieldErrors([
      { attr: 'unit_id', code: 'max_length', detail: `A screenshot can have at most ${MAX_UNITS} strings.` },
    ]);
  return present(attached);
}

export async function detachUnit(deps: Deps, id: number, unitId: number, context: CallContext): Promise<Screenshot> {
  await requireScreenshot(deps, id, 'screenshot.edit', context);
  return present(await deps.screenshots.detach(id, unitId, Date.now()));
}

function present(found: Screenshot | null): Screenshot {
  if (!found) throw new ServiceError('NOT_FOUND');
  return found;
}

export async function deleteScreenshot(deps: Deps, id: number, context: CallContext): Promise<void> {
  const screenshot = await requireScreenshot(deps, id, 'screenshot.delete', context);
  if (!(await deps.screenshots.remove(screenshot))) throw new ServiceError('NOT_FOUND');
  await deps.cleanup.schedule();
}
