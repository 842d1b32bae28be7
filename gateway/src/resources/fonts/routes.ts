import type { media } from '@parlance/contracts';
import { fieldErrors } from '@parlance/errors';
import { z } from 'zod';
import { idParam, perCall } from '../../bodies/input';
import { requiredFile } from '../../bodies/required-file';
import { isKnown } from '../../downloads/conditional-requests';
import { bytes, disposition, startStream } from '../../downloads/files';
import { notFound } from '../../responses/errors';
import { list } from '../../responses/lists';
import { pageSchema } from '../../responses/schema';
import type { Call, Reply } from '../../routing/call';
import { created, noContent, ok, type Endpoint } from '../../routing/endpoint';
import { pages } from '../shared';
import { presentFont } from './present';
import { fontSchema } from './schema';

/** Timeout of sending a font to the media service, in milliseconds. */
const FONT_TIMEOUT_MS = 120_000;

const FONTS_PATH = '/api/projects/:project/fonts/';
const FONT_PATH = `${FONTS_PATH}:font/`;
const editors = { any: ['project.edit'] } as const;

const present = (call: Call, font: media.Font__Output) => presentFont(font, call.project.slug, call.links);
const idsOf = (call: Call) => ({ projectId: call.project.id, id: idParam(call, 'font') });

/** The font named by the path. @throws NOT_FOUND */
const fontOf = perCall(async (call): Promise<media.Font__Output> => {
  const { font } = await call.clients.media.getFont(idsOf(call), call.options);
  if (!font) throw notFound();
  return font;
});

const listFonts = (call: Call): Promise<Reply> =>
  list(
    call,
    pages,
    async (page) => {
      const answer = await call.clients.media.listFonts({ projectId: call.project.id, page }, call.options);
      return { items: answer.fonts, total: answer.total };
    },
    (items) => items.map((font) => present(call, font)),
  );

async function uploadFont(call: Call): Promise<Reply> {
  const file = await requiredFile(call, 'font', call.problems);
  if (!file) throw fieldErrors(call.problems);
  const header = { projectId: call.project.id, filename: file.filename };
  async function* messages(): AsyncGenerator<media.CreateFontRequest> {
    yield { header };
    for await (const chunk of file!.chunks()) yield { chunk };
  }
  const { font } = await call.clients.media.createFont(messages(), { ...call.options, timeoutMs: FONT_TIMEOUT_MS });
  const data = present(call, font!);
  return created(data, data.url);
}

async function downloadFont(call: Call): Promise<Reply> {
  const font = await fontOf(call);
  const headers = {
    'Content-Disposition': disposition(font.filename, true),
    ETag: `"${font.etag}"`,
    'Last-Modified': new Date(font.createdMs).toUTCString(),
  };
  if (isKnown(call.request.headers, headers.ETag, font.createdMs)) return { status: 304, headers };
  const messages = call.clients.media.readFont(idsOf(call), { ...call.options, timeoutMs: FONT_TIMEOUT_MS });
  return {
    headers,
    stream: { type: 'application/binary', size: font.size, chunks: bytes(await startStream(messages)) },
  };
}

export const fontEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: FONTS_PATH,
    shows: 'project',
    response: pageSchema(fontSchema),
    access: 'anyone',
    doc: 'Lists the fonts in which the checks of a project measure texts.',
    handle: listFonts,
  },
  {
    method: 'POST',
    path: FONTS_PATH,
    success: [201],
    response: fontSchema,
    access: editors,
    doc: 'Uploads a font: a TTF, OTF or WOFF2 file of at most 10 MiB.',
    body: { fields: z.object({}), files: ['font'], raw: 'font' },
    handle: uploadFont,
  },
  {
    method: 'GET',
    path: FONT_PATH,
    shows: 'project',
    response: fontSchema,
    access: 'anyone',
    doc: 'Shows a font.',
    handle: async (call) => ok(present(call, await fontOf(call))),
  },
  {
    method: 'DELETE',
    path: FONT_PATH,
    access: editors,
    doc: 'Removes a font; texts are measured in a built-in one again.',
    async handle(call) {
      await call.clients.media.deleteFont(idsOf(call), call.options);
      return noContent;
    },
  },
  {
    method: 'GET',
    path: `${FONT_PATH}file/`,
    success: [200, 304],
    produces: ['application/binary'],
    access: editors,
    doc: 'Downloads the file of a font.',
    ownFormat: true,
    handle: downloadFont,
  },
];
