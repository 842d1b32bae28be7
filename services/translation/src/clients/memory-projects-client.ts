import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import { resolveLanguageCode } from '@parlance/plurals';
import type { MemoryProject, MemoryProjects } from '../domain/memory/ports';

/** Projects and languages from the catalog. */
export class MemoryProjectsClient implements MemoryProjects {
  constructor(
    private readonly catalog: Client<'catalog'>,
    private readonly callerToken: () => string,
  ) {}

  async get(id: number, catalogGeneration = ''): Promise<MemoryProject | null> {
    try {
      const { project } = await this.catalog.getProject({ id }, { as: this.callerToken(), catalogGeneration });
      return (
        project && {
          id: project.id,
          slug: project.slug,
          accessControl: project.accessControl,
          enforced2fa: project.enforced_2fa,
          useShared: project.useSharedTm,
          contributeShared: project.contributeSharedTm,
        }
      );
    } catch (error) {
      if (isServiceError(error, 'NOT_FOUND')) return null;
      throw error;
    }
  }

  /** Resolves codes like those in file names; codes of custom languages take precedence. */
  async languages(codes: readonly string[]): Promise<Map<string, { id: number; code: string }>> {
    const meanings = new Map(
      codes.map((code) => [
        code,
        [code, code.replaceAll('-', '_'), resolveLanguageCode(code)?.code ?? '', withoutRegion(code)],
      ]),
    );
    const wanted = [...new Set([...meanings.values()].flat())].filter((code) => code !== '');
    const { languages } = await this.catalog.batchGetLanguages({ codes: wanted }, { as: this.callerToken() });
    const known = new Map<string, { id: number; code: string }>();
    for (const { id, code, aliases } of languages)
      for (const name of [code, ...aliases]) known.set(name.toLowerCase(), { id, code });
    const found = new Map<string, { id: number; code: string }>();
    for (const [code, names] of meanings) {
      const name = names.find((candidate) => known.has(candidate.toLowerCase()));
      if (name !== undefined) found.set(code, known.get(name.toLowerCase())!);
    }
    return found;
  }
}

/** Other tools add a region to languages that are known here without one. */
function withoutRegion(code: string): string {
  return code.split(/[-_]/, 1)[0]!;
}
