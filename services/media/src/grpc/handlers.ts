import type { media } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { type Implementation, pageOf, requireId } from '@parlance/grpc-kit';
import type { FileAdmission } from '@parlance/workload';
import { sliceOf } from '../domain/range';
import type { Image, Screenshot } from '../domain/screenshot';
import type { FontDeps } from '../app/fonts/fonts';
import {
  attachUnit,
  createScreenshot,
  deleteScreenshot,
  detachUnit,
  replaceImage,
  updateScreenshot,
  type Deps,
} from '../app/screenshots';
import { fontHandlers } from './font-handlers';
import { idsOf, rangeOf, withUpload, type Upload } from './requests';

const MAX_BATCH = 1000;
/** Maximum number of ids of attached units in a response. */
const MAX_ATTACHED = 100_000;

const imageToWire = ({ key: _key, ...image }: Image): media.Image => image;

const toWire = ({ version: _version, image, ...rest }: Screenshot): media.Screenshot => ({
  ...rest,
  image: imageToWire(image),
});

/** Methods that report all problems of a request. */
export const completing = ['createScreenshot', 'updateScreenshot'] as const satisfies (keyof Implementation<'media'>)[];

async function findScreenshot(deps: Deps, id: number): Promise<Screenshot> {
  const found = await deps.screenshots.get(requireId(id, 'id'));
  if (!found) throw new ServiceError('NOT_FOUND');
  return found;
}

/** Handlers that read; their callers check visibility. */
function readHandlers(
  deps: Deps,
): Pick<Implementation<'media'>, 'listScreenshots' | 'getScreenshot' | 'batchGetScreenshots' | 'listAttachedUnits'> {
  return {
    async listScreenshots(request, _context) {
      const { skip, size } = pageOf(request.page);
      const filter = {
        componentId: request.componentId,
        translationId: request.translationId,
        unitIds: idsOf('unit_ids', request.unitIds),
        projectIds: idsOf('project_ids', request.projectIds),
        excludedComponentIds: idsOf('excluded_component_ids', request.excludedComponentIds),
        excludedProjectIds: idsOf('excluded_project_ids', request.excludedProjectIds),
      };
      const { screenshots, total } = await deps.screenshots.list(filter, skip, size);
      return { screenshots: screenshots.map(toWire), total };
    },
    async getScreenshot(request, _context) {
      return { screenshot: toWire(await findScreenshot(deps, request.id)) };
    },
    async batchGetScreenshots(request, _context) {
      return { screenshots: (await deps.screenshots.many(idsOf('ids', request.ids, MAX_BATCH))).map(toWire) };
    },
    async listAttachedUnits(request, _context) {
      const { translationIds, name, limit } = request;
      if (limit < 0 || limit > MAX_ATTACHED)
        throw fieldErrors([{ attr: 'limit', code: 'invalid', detail: `0 to ${MAX_ATTACHED} ids can be requested.` }]);
      const wanted = idsOf('translation_ids', translationIds);
      return { unitIds: await deps.screenshots.attachedUnits(wanted, name, limit || MAX_ATTACHED) };
    },
  };
}

/** Handlers that write; they check the permission. */
function writeHandlers(
  deps: Deps,
  images: FileAdmission,
): Pick<Implementation<'media'>, 'createScreenshot' | 'updateScreenshot' | 'deleteScreenshot'> {
  return {
    async createScreenshot(requests, context) {
      return withUpload(
        images,
        requests,
        context,
        async ({ header, bytes }: Upload<media.CreateScreenshotHeader__Output>) => {
          const { name, filename, repositoryFilename } = header;
          const input = {
            name,
            filename,
            repositoryFilename,
            componentId: requireId(header.componentId, 'component_id'),
            translationId: requireId(header.translationId, 'translation_id'),
          };
          return { screenshot: toWire(await createScreenshot(deps, input, bytes, context)) };
        },
      );
    },
    async updateScreenshot(request, context) {
      const { id, name, repositoryFilename } = request;
      return {
        screenshot: toWire(await updateScreenshot(deps, requireId(id, 'id'), { name, repositoryFilename }, context)),
      };
    },
    async deleteScreenshot(request, context) {
      await deleteScreenshot(deps, requireId(request.id, 'id'), context);
      return {};
    },
  };
}

function attachmentHandlers(deps: Deps): Pick<Implementation<'media'>, 'attachUnit' | 'detachUnit'> {
  return {
    async attachUnit(request, context) {
      return {
        screenshot: toWire(
          await attachUnit(
            deps,
            requireId(request.screenshotId, 'screenshot_id'),
            requireId(request.unitId, 'unit_id'),
            context,
          ),
        ),
      };
    },
    async detachUnit(request, context) {
      return {
        screenshot: toWire(
          await detachUnit(
            deps,
            requireId(request.screenshotId, 'screenshot_id'),
            requireId(request.unitId, 'unit_id'),
            context,
          ),
        ),
      };
    },
  };
}

/** Handlers of images. Reading requires no permission, because callers check visibility. */
function imageHandlers(deps: Deps, images: FileAdmission): Pick<Implementation<'media'>, 'replaceImage' | 'readImage'> {
  return {
    async replaceImage(requests, context) {
      return withUpload(
        images,
        requests,
        context,
        async ({ header, bytes }: Upload<media.ReplaceImageHeader__Output>) => ({
          screenshot: toWire(await replaceImage(deps, requireId(header.id, 'id'), header.filename, bytes, context)),
        }),
      );
    },
    async *readImage(request, _context) {
      const { image, updatedMs, projectId, componentId } = await findScreenshot(deps, request.id);
      let slice: { offset: number; length: number } | undefined;
      try {
        slice = sliceOf(image.size, rangeOf(request.range));
      } catch (error) {
        throw fieldErrors([{ attr: 'range', code: 'invalid', detail: (error as RangeError).message }]);
      }
      const header = {
        image: imageToWire(image),
        offset: slice?.offset ?? 0,
        length: slice?.length ?? 0,
        unsatisfiable: slice === undefined,
        lastModifiedMs: updatedMs,
        projectId,
        componentId,
      };
      yield { header };
      if (!slice || request.headerOnly) return;
      for await (const chunk of await deps.objects.get(image.key, slice)) yield { chunk: chunk as Buffer };
    },
  };
}

/** gRPC handlers of the media service. */
export function makeHandlers(deps: Deps & FontDeps, uploads: FileAdmission): Implementation<'media'> {
  return {
    ...readHandlers(deps),
    ...writeHandlers(deps, uploads),
    ...attachmentHandlers(deps),
    ...imageHandlers(deps, uploads),
    ...fontHandlers(deps, uploads),
  };
}
