import { disregardedTerms, parseFlags, type GlossaryTerm } from '@parlance/checks';
import { isBlank, State, type Unit } from '../../domain/unit';
import type { Deps } from '../deps';

type Needed = Pick<Deps, 'units' | 'catalog' | 'neighbours' | 'sourceFlags'>;

/** The terms of a project's glossaries with their translations into a language. */
export async function glossaryTerms(parts: Needed, project: number, language: string): Promise<GlossaryTerm[]> {
  const terms: GlossaryTerm[] = [];
  for (const { translation, component } of await parts.neighbours(project, language)) {
    if (!(await parts.catalog.component(component, ''))?.isGlossary) continue;
    for (const unit of await parts.units.ofTranslation(translation)) {
      if (isBlank(unit.target)) continue;
      const flags = [unit.flags, await parts.sourceFlags(unit)].map((text) => parseFlags(text, { lenient: true }));
      terms.push({
        source: unit.source[0]!,
        targets: unit.target,
        forbidden: flags.some((given) => given.has('forbidden')),
        readOnly: unit.state === State.readonly,
      });
    }
  }
  return terms;
}

/** `check_glossary`: a wanted translation is not used, or a forbidden one is. */
export function disregardsGlossary(unit: Unit, terms: readonly GlossaryTerm[]): boolean {
  return disregardedTerms(unit, terms).length > 0;
}
