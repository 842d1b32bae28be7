import { disregardedTerms, parseFlags, type CheckInput, type GlossaryTerm } from '@parlance/checks';
import type { ProjectTerm } from '../../domain/project-term';
import { isBlank, State } from '../../domain/unit';
import type { Catalog, UnitReader } from '../../domain/ports';
import type { ProjectTranslations, SourceFlags } from '../caches/interfaces';

export interface GlossaryTermsDeps {
  units: Pick<UnitReader, 'ofTranslation'>;
  catalog: Catalog;
  projectTranslations: ProjectTranslations;
  sourceFlags: SourceFlags;
}

/** The terms of a project's glossaries with their translations into a language. */
export async function glossaryTerms(
  deps: GlossaryTermsDeps,
  project: number,
  language: string,
): Promise<ProjectTerm[]> {
  const terms: ProjectTerm[] = [];
  for (const { translation, component } of await deps.projectTranslations.of(project, language)) {
    if (!(await deps.catalog.component(component, ''))?.isGlossary) continue;
    for (const unit of await deps.units.ofTranslation(translation)) {
      if (isBlank(unit.target)) continue;
      const flags = [unit.flags, await deps.sourceFlags.of(unit)].map((text) => parseFlags(text, { lenient: true }));
      const variantOf = flags.map((given) => given.value('variant')).find((name) => name !== undefined);
      terms.push({
        unit: unit.id,
        component,
        source: unit.source[0]!,
        targets: unit.target,
        forbidden: flags.some((given) => given.has('forbidden')),
        readOnly: unit.state === State.readonly,
        ...(variantOf === undefined ? {} : { variantOf }),
      });
    }
  }
  return terms;
}

/** `check_glossary`: a glossary translation is missing, or a forbidden one is used. */
export function disregardsGlossary(unit: CheckInput, terms: readonly GlossaryTerm[]): boolean {
  return disregardedTerms(unit, terms).length > 0;
}
