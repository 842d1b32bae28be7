import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import type { MemoryProject, MemoryProjects } from '../../domain/memory/ports';

/** Projects and languages as the catalog knows them. */
export class CatalogMemoryProjects implements MemoryProjects {
  constructor(
    private readonly catalog: Client<'catalog'>,
    private readonly own: () => string,
  ) {}

  async get(id: number): Promise<MemoryProject | null> {
    try {
      const { project } = await this.catalog.getProject({ id }, { as: this.own() });
      return (
        project && {
          id: project.id,
          slug: project.slug,
          accessControl: project.accessControl,
          useShared: project.useSharedTm,
          contributeShared: project.contributeSharedTm,
        }
      );
    } catch (error) {
      if (isServiceError(error, 'NOT_FOUND')) return null;
      throw error;
    }
  }

  async languages(codes: readonly string[]): Promise<Map<string, { id: number; code: string }>> {
    const spellings = new Map<string, string>();
    for (const code of codes) {
      for (const spelling of [code, code.replaceAll('-', '_'), withoutRegion(code)])
        if (!spellings.has(spelling)) spellings.set(spelling, spelling.toLowerCase());
    }
    const { languages } = await this.catalog.batchGetLanguages({ codes: [...spellings.keys()] }, { as: this.own() });
    const known = new Map<string, { id: number; code: string }>();
    for (const { id, code, aliases } of languages)
      for (const name of [code, ...aliases]) known.set(name.toLowerCase(), { id, code });
    const found = new Map<string, { id: number; code: string }>();
    for (const code of codes) {
      const language =
        known.get(code.toLowerCase()) ??
        known.get(code.toLowerCase().replaceAll('-', '_')) ??
        known.get(withoutRegion(code).toLowerCase());
      if (language) found.set(code, language);
    }
    return found;
  }
}

/** Files of other programs name a region even where the language needs none. */
function withoutRegion(code: string): string {
  return code.split(/[-_]/, 1)[0]!;
}
