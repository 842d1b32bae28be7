import type { media } from '@parlance/contracts';
import { ServiceError } from '@parlance/errors';
import { pageOf, requireId, type Implementation } from '@parlance/grpc-kit';
import type { FileAdmission } from '@parlance/workload';
import { createFont, deleteFont, requireFont, type FontDeps } from '../app/fonts/fonts';
import type { Font } from '../domain/font';
import { withUpload, type Upload } from './requests';

const toWire = ({ key: _key, ...font }: Font): media.Font => font;

type Method = 'listFonts' | 'getFont' | 'createFont' | 'deleteFont' | 'readFont' | 'getFontWidths';

/** Handlers of fonts. Reading the metadata of a font requires no permission, because callers check visibility. */
export function fontHandlers(deps: FontDeps, uploads: FileAdmission): Pick<Implementation<'media'>, Method> {
  const idsOf = (request: { projectId: number; id: number }) =>
    [requireId(request.projectId, 'project_id'), requireId(request.id, 'id')] as const;
  return {
    async listFonts(request, _context) {
      const { skip, size } = pageOf(request.page);
      const { fonts, total } = await deps.fonts.list(requireId(request.projectId, 'project_id'), skip, size);
      return { fonts: fonts.map(toWire), total };
    },
    async getFont(request, _context) {
      const [projectId, id] = idsOf(request);
      const font = await deps.fonts.get(id);
      if (font?.projectId !== projectId) throw new ServiceError('NOT_FOUND');
      return { font: toWire(font) };
    },
    async createFont(requests, context) {
      return withUpload(
        uploads,
        requests,
        context,
        async ({ header, bytes }: Upload<media.CreateFontHeader__Output>) => {
          const input = { projectId: requireId(header.projectId, 'project_id'), filename: header.filename };
          return { font: toWire(await createFont(deps, input, bytes, context)) };
        },
      );
    },
    async deleteFont(request, context) {
      await deleteFont(deps, ...idsOf(request), context);
      return {};
    },
    async *readFont(request, context) {
      const { key } = await requireFont(deps, ...idsOf(request), context);
      for await (const chunk of await deps.objects.get(key)) yield { chunk: chunk as Buffer };
    },
    async getFontWidths(request, _context) {
      const id = requireId(request.id, 'id');
      const [font, widths] = await Promise.all([deps.fonts.get(id), deps.fonts.widths(id)]);
      if (!font || !widths) throw new ServiceError('NOT_FOUND');
      const [codePoints, advances] = [Buffer.from(widths.codePoints), Buffer.from(widths.advances)];
      return { font: toWire(font), unitsPerEm: widths.unitsPerEm, codePoints, advances };
    },
  };
}
