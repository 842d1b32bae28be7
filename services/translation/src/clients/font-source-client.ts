import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import type { FontSource, StoredFont } from '../domain/project-fonts';

/** Fonts of the media service. */
export class FontSourceClient implements FontSource {
  constructor(
    private readonly media: Pick<Client<'media'>, 'getFontWidths'>,
    private readonly callerToken: () => string,
  ) {}

  async font(id: number): Promise<StoredFont | null> {
    try {
      const { font, unitsPerEm, codePoints, advances } = await this.media.getFontWidths(
        { id },
        { as: this.callerToken() },
      );
      if (!font) return null;
      const { projectId: project, family, weight, italic } = font;
      return { id, project, family, weight, italic, unitsPerEm, codePoints, advances };
    } catch (error) {
      if (isServiceError(error, 'NOT_FOUND')) return null;
      throw error;
    }
  }
}
