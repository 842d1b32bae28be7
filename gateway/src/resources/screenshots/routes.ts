import { field, type media, type RequestMode } from '@parlance/contracts';
import { fieldErrors, isServiceError, type FieldProblem } from '@parlance/errors';
import { componentTarget, requireOn, requireVisible } from '../../access/access';
import type { Call, Reply } from '../../routing/call';
import type { ComponentView } from '../../directory/component-view';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { notFound, type ErrorBody } from '../../responses/errors';
import { requiredFile } from '../../bodies/required-file';
import { idOf, idParam, perCall, readValues, readFields, required } from '../../bodies/input';
import { list } from '../../responses/lists';
import { readRange } from '../../downloads/range';
import { isKnown } from '../../downloads/conditional-requests';
import { presentScreenshot } from './present';
import { bytes, disposition, startStream } from '../../downloads/files';
import { loadHidden, pages } from '../shared';
import { pageSchema } from '../../responses/schema';
import { imageResultSchema, newScreenshotSchema, screenshotSchema } from './schema';
import { z } from 'zod';

/** Maximum number of strings that the translation service loads at once. */
const MAX_UNITS = 10_000;

/** Timeout of sending an image to the media service, in milliseconds. */
const IMAGE_TIMEOUT_MS = 120_000;

const placeFields = z.object({
  name: field.line('Name.'),
  project_slug: field.line('Slug of the project.'),
  component_slug: field.line('Slug of the component, prefixed by the slugs of its categories and slashes.'),
  language_code: field.line('Language code of the translation.'),
});

const nameField = z.object({
  name: field.line('Name.'),
});
const editFields = z.object({
  ...nameField.shape,
  repository_filename: field
    .line('Path of the image in the repository that the screenshot follows; empty: none.')
    .optional(),
});
const unitField = z.object({
  unit_id: field.id('Id of a string in the same translation.'),
});

/** A screenshot with its component. */
interface Found {
  screenshot: media.Screenshot__Output;
  view: ComponentView;
}

/** The screenshot named by the path. @throws NOT_FOUND */
const screenshotOf = perCall(async (call): Promise<Found> => {
  const { screenshot } = await call.clients.media.getScreenshot({ id: idParam(call, 'screenshot') }, call.options);
  const view =
    screenshot && (await call.directory.componentsById([screenshot.componentId])).get(screenshot.componentId);
  if (!screenshot || !view) throw notFound();
  requireVisible(call, componentTarget(view));
  return { screenshot, view };
});

const targetOf = perCall(async (call) => {
  const { screenshot, view } = await screenshotOf(call);
  return componentTarget(view, screenshot.languageCode);
});

const editors = { any: ['screenshot.edit'], of: targetOf } as const;

/** Existing strings among those attached to screenshots; makes a single call. */
async function unitsOf(call: Call, screenshots: readonly media.Screenshot__Output[]): Promise<Set<number>> {
  const ids = [...new Set(screenshots.flatMap((s) => s.unitIds))].slice(0, MAX_UNITS);
  if (ids.length === 0) return new Set();
  const { units } = await call.clients.translation.batchGetUnits({ ids }, call.options);
  return new Set(units.map((u) => u.id));
}

async function screenshotReply(call: Call, screenshot: media.Screenshot__Output | null): Promise<Reply> {
  const { view } = await screenshotOf(call);
  return ok(presentScreenshot(screenshot!, view, await unitsOf(call, [screenshot!]), call.links));
}

const listScreenshots = async (call: Call, componentId: number): Promise<Reply> => {
  const exclusions = await loadHidden(call);
  const projectIds = call.caller.onlyProjects ?? [];
  return list(
    call,
    pages,
    async (page) => {
      const answer = await call.clients.media.listScreenshots(
        { page, componentId, projectIds, ...exclusions },
        call.options,
      );
      return { items: answer.screenshots, total: answer.total };
    },
    async (items) => {
      const [components, units] = await Promise.all([
        call.directory.componentsById(items.map((s) => s.componentId)),
        unitsOf(call, items),
      ]);
      return items.flatMap((s) => {
        const view = components.get(s.componentId);
        return view ? [presentScreenshot(s, view, units, call.links)] : [];
      });
    },
  );
};

/**
 * The translation that the form fields project, component and language name together.
 * @param found problems of the other fields
 * @throws INVALID with all problems
 */
async function readTranslation(call: Call, found: readonly FieldProblem[]) {
  const { values } = await call.body();
  const problems = [...found];
  const text = (name: string): string => {
    const value = values[name];
    if (value === undefined || value === '') problems.push(required(name));
    else if (typeof value === 'string') return value;
    else problems.push({ attr: name, code: 'invalid', detail: 'A text is required.' });
    return '';
  };
  const [project, component, language] = [text('project_slug'), text('component_slug'), text('language_code')];
  if (problems.length > found.length) throw fieldErrors(problems);
  const unknown = () =>
    fieldErrors([
      ...found,
      ...['project_slug', 'component_slug', 'language_code'].map((attr) => ({
        attr,
        code: 'does_not_exist',
        detail: 'The translation of this project, component and language does not exist.',
      })),
    ]);
  const view = await call.directory.component(project, component.replace(/%2f/gi, '/'));
  if (!view) throw unknown();
  try {
    requireVisible(call, componentTarget(view));
    const request = { componentId: view.component.id, languageCode: language };
    const { translation } = await call.clients.translation.getTranslation(request, call.options);
    if (!translation) throw notFound();
    return { view, translation };
  } catch (error) {
    if (isServiceError(error, 'NOT_FOUND')) throw unknown();
    throw error;
  }
}

async function createScreenshot(call: Call): Promise<Reply> {
  const { values, problems } = await readValues(call, nameField, 'create');
  const image = await requiredFile(call, 'image', problems);
  const { view, translation } = await readTranslation(call, problems);
  requireOn(call, 'screenshot.add', componentTarget(view, translation.languageCode));
  call.problems.push(...problems);
  const header = {
    name: values.name ?? '',
    componentId: view.component.id,
    translationId: translation.id,
    filename: image?.filename ?? '',
  };
  async function* messages(): AsyncGenerator<media.CreateScreenshotRequest> {
    yield { header };
    if (image) for await (const chunk of image.chunks()) yield { chunk };
  }
  const options = { ...call.options, timeoutMs: IMAGE_TIMEOUT_MS };
  const { screenshot } = await call.clients.media.createScreenshot(messages(), options);
  const data = presentScreenshot(screenshot!, view, new Set(), call.links);
  return created({ ...data, image: data['file_url'] }, String(data['url']));
}

async function replaceImage(call: Call): Promise<Reply> {
  const { id } = (await screenshotOf(call)).screenshot;
  const image = await requiredFile(call, 'image', call.problems);
  if (!image) throw fieldErrors(call.problems);
  const { filename } = image;
  async function* messages(): AsyncGenerator<media.ReplaceImageRequest> {
    yield { header: { id, filename } };
    for await (const chunk of image!.chunks()) yield { chunk };
  }
  await call.clients.media.replaceImage(messages(), { ...call.options, timeoutMs: IMAGE_TIMEOUT_MS });
  return ok({ result: true });
}

async function downloadImage(call: Call): Promise<Reply> {
  const { screenshot } = await screenshotOf(call);
  const image = screenshot.image!;
  const etag = `"${image.etag}"`;
  const { range, 'if-range': ifRange } = call.request.headers;
  const headers: Record<string, string> = {
    'Content-Disposition': disposition(image.filename, true),
    'Accept-Ranges': 'bytes',
    ETag: etag,
    'Last-Modified': new Date(screenshot.updatedMs).toUTCString(),
  };
  if (isKnown(call.request.headers, etag, screenshot.updatedMs)) return { status: 304, headers };
  // A date in If-Range is not precise enough: an image may change twice in a second.
  const wanted = ifRange === undefined || ifRange === etag ? readRange(range) : undefined;
  const request = {
    id: screenshot.id,
    ...(wanted ? { range: wanted } : {}),
    headerOnly: call.request.method === 'HEAD',
  };
  const messages = await startStream(
    call.clients.media.readImage(request, { ...call.options, timeoutMs: IMAGE_TIMEOUT_MS }),
  );
  const iterator = messages[Symbol.asyncIterator]();
  const first = await iterator.next();
  const header = first.done ? null : first.value.header;
  if (!header) throw notFound();
  const { size } = header.image!;
  // The image may have been replaced in the meantime.
  headers['ETag'] = `"${header.image!.etag}"`;
  headers['Last-Modified'] = new Date(header.lastModifiedMs).toUTCString();
  if (header.unsatisfiable) {
    const detail = `The image has ${size} bytes.`;
    const data: ErrorBody = {
      detail,
      type: 'client_error',
      errors: [{ attr: null, code: 'range_not_satisfiable', detail }],
    };
    return { status: 416, headers: { ...headers, 'Content-Range': `bytes */${size}` }, data };
  }
  if (wanted) headers['Content-Range'] = `bytes ${header.offset}-${header.offset + header.length - 1}/${size}`;
  return {
    status: wanted ? 206 : 200,
    headers,
    stream: {
      type: 'application/binary',
      size: header.length,
      chunks: bytes({ [Symbol.asyncIterator]: () => iterator }),
    },
  };
}

const change =
  (mode: RequestMode) =>
  async (call: Call): Promise<Reply> => {
    const fields = await readFields(call, editFields, mode);
    const request = { ...fields, id: (await screenshotOf(call)).screenshot.id };
    return screenshotReply(call, (await call.clients.media.updateScreenshot(request, call.options)).screenshot);
  };

/** Attaches the string of the same translation that the body names. @throws INVALID */
async function attachUnit(call: Call): Promise<Reply> {
  const value = (await call.body()).values['unit_id'];
  const unitId = idOf(value);
  if (unitId === undefined) {
    const missing = value === undefined || value === '';
    throw fieldErrors([
      missing ? required('unit_id') : { attr: 'unit_id', code: 'invalid', detail: 'The id of a string is required.' },
    ]);
  }
  const request = { screenshotId: (await screenshotOf(call)).screenshot.id, unitId };
  return screenshotReply(call, (await call.clients.media.attachUnit(request, call.options)).screenshot);
}

const SCREENSHOT_PATH = '/api/screenshots/:screenshot/';

export const screenshotEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: '/api/screenshots/',
    shows: 'site',
    response: pageSchema(screenshotSchema),
    access: 'anyone',
    doc: 'Lists the screenshots of all objects that the caller may see.',
    handle: (call) => listScreenshots(call, 0),
  },
  {
    method: 'GET',
    path: '/api/components/:project/:component/screenshots/',
    shows: 'component',
    response: pageSchema(screenshotSchema),
    access: 'anyone',
    doc: 'Lists the screenshots of a component.',
    handle: (call) => listScreenshots(call, call.component.component.id),
  },
  {
    method: 'POST',
    path: '/api/screenshots/',
    success: [201],
    response: newScreenshotSchema,
    access: { ways: [{ permission: 'screenshot.add', on: 'object' }] },
    doc: 'Adds a screenshot; requires screenshot.add on the translation in the body.',
    body: { fields: placeFields, files: ['image'] },
    handle: createScreenshot,
  },
  {
    method: 'GET',
    path: SCREENSHOT_PATH,
    shows: 'screenshot',
    response: screenshotSchema,
    access: 'anyone',
    doc: 'Shows a screenshot.',
    async handle(call) {
      const { screenshot } = await screenshotOf(call);
      call.contents.show(`component:${screenshot.componentId}`);
      return screenshotReply(call, screenshot);
    },
  },
  {
    method: 'PUT',
    path: SCREENSHOT_PATH,
    response: screenshotSchema,
    access: editors,
    doc: 'Changes a screenshot.',
    body: { fields: editFields },
    handle: change('replace'),
  },
  {
    method: 'PATCH',
    path: SCREENSHOT_PATH,
    response: screenshotSchema,
    access: editors,
    doc: 'Changes a screenshot.',
    body: { fields: editFields },
    handle: change('update'),
  },
  {
    method: 'DELETE',
    path: SCREENSHOT_PATH,
    access: { any: ['screenshot.delete'], of: targetOf },
    doc: 'Removes a screenshot.',
    async handle(call) {
      await call.clients.media.deleteScreenshot({ id: (await screenshotOf(call)).screenshot.id }, call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: `${SCREENSHOT_PATH}file/`,
    success: [200, 206, 304],
    failures: [416],
    produces: ['application/binary'],
    access: 'anyone',
    doc: 'Downloads the image, whole or a range of it.',
    ownFormat: true,
    handle: downloadImage,
  },
  {
    method: 'POST',
    path: `${SCREENSHOT_PATH}file/`,
    response: imageResultSchema,
    access: editors,
    doc: 'Replaces the image.',
    body: { fields: z.object({}), files: ['image'], raw: 'image' },
    handle: replaceImage,
  },
  {
    method: 'PUT',
    path: `${SCREENSHOT_PATH}file/`,
    response: imageResultSchema,
    access: editors,
    doc: 'Replaces the image.',
    body: { fields: z.object({}), files: ['image'], raw: 'image' },
    handle: replaceImage,
  },
  {
    method: 'POST',
    path: `${SCREENSHOT_PATH}units/`,
    response: screenshotSchema,
    access: editors,
    named: [{ field: 'unit_id', needs: 'same project' }],
    doc: 'Attaches a string to a screenshot.',
    body: { fields: unitField },
    handle: attachUnit,
  },
  {
    method: 'DELETE',
    path: `${SCREENSHOT_PATH}units/:unit/`,
    access: editors,
    doc: 'Detaches a string from a screenshot.',
    async handle(call) {
      const request = { screenshotId: (await screenshotOf(call)).screenshot.id, unitId: idParam(call, 'unit') };
      await call.clients.media.detachUnit(request, call.options);
      return noContent;
    },
  },
];
