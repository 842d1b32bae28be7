import type { ExtraFlagsReader, TranslationReader } from '../../domain/ports';
import type { Unit } from '../../domain/unit';
import type { SourceFlags } from './interfaces';
import type { SharedCache } from './cache-generation';
import { TimedCache } from './timed-cache';

/** One entry holds the extra flags of all source units of a component. */
export class SourceFlagsCache implements SharedCache, SourceFlags {
  private readonly cache = new TimedCache<number, Map<number, string>>();

  constructor(
    private readonly units: Pick<ExtraFlagsReader, 'extraFlags'>,
    private readonly translations: Pick<TranslationReader, 'ofComponent'>,
  ) {}

  async of({ component, sourceUnit }: Pick<Unit, 'component' | 'sourceUnit'>): Promise<string> {
    const flags = await this.cache.get(component, () => this.read(component));
    return flags.get(sourceUnit) ?? '';
  }

  private async read(component: number): Promise<Map<number, string>> {
    const source = (await this.translations.ofComponent(component)).find((t) => t.isSource);
    return source ? this.units.extraFlags(source.id) : new Map<number, string>();
  }

  clear(): void {
    this.cache.clear();
  }
}
