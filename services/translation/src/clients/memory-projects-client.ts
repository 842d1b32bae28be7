import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import { resolveLanguageCode } from '@parlance/plurals';
import type { MemoryProject, MemoryProjects } from '../domain/memory/ports';

/** In projects; a full cache is cleared. */
const CAPACITY = 10_000;

/** Projects and languages from the catalog. Projects are cached for one catalog generation. */
export class MemoryProjectsClient implements MemoryProjects {
  private readonly projects = new Map<number, Promise<MemoryProject | null>>();
  private generation = '';

  constructor(
    private readonly catalog: Client<'catalog'>,
    private readonly callerToken: () => string,
  ) {}

  get(id: number, generation = ''): Promise<MemoryProject | null> {
    if (generation === '') return this.read(id, '');
    if (generation !== this.generation || this.projects.size >= CAPACITY) this.projects.clear();
    this.generation = generation;
    const known = this.projects.get(id);
    if (known) return known;
    const reading = this.read(id, generation);
    this.projects.set(id, reading);
    reading.catch(() => {
      if (this.projects.get(id) === reading) this.projects.delete(id);
    });
    return reading;
  }

  private async read(id: number, catalogGeneration: string): Promise<MemoryProject | null> {
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
