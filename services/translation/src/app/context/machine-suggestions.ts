import { can, type Caller } from '@parlance/access';
import { accessTarget } from '../../domain/component';
import { EngineError } from '../../domain/machinery/engine';
import { sourceOfForm } from '../../domain/memory/entry';
import type { UnitReader } from '../../domain/ports';
import { deniedOn } from '../contributors';
import { loadVisibleUnit, type LoadUnitDeps } from '../edit/load-unit';
import { engines as allEngines } from '../machinery/engines';
import { openEngines, type MachineryDeps, type OpenEngine } from '../machinery/settings';
import { translateTexts } from '../machinery/translate';

export interface MachineSuggestionsDeps extends LoadUnitDeps {
  units: Pick<UnitReader, 'get'>;
  machinery: MachineryDeps;
}

export interface MachineSuggestion {
  engine: string;
  engineName: string;
  /** Percent. */
  quality: number;
  target: string[];
}

/** Longest source that engines are asked for, in UTF-16 code units of all forms. */
const MAX_SOURCE = 10_000;
/** All engines answer within this time, or count as failed. In milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Translations of a unit by the engines of its project, the best engine first. A failed engine is reported and does not stop the others.
 * @throws NOT_FOUND, PERMISSION_DENIED
 */
export async function machineSuggestions(
  deps: MachineSuggestionsDeps,
  caller: Caller,
  id: number,
  generation: string,
): Promise<{ suggestions: MachineSuggestion[]; problems: string[] }> {
  const { unit, translation, component } = await loadVisibleUnit(deps, caller, id, generation);
  const access = accessTarget(component, unit.language);
  if (!can(caller, 'machinery.view', access)) throw deniedOn(caller, component);
  const length = unit.source.reduce((sum, text) => sum + text.length, 0);
  if (unit.isSource || length === 0 || length > MAX_SOURCE) return { suggestions: [], problems: [] };
  const texts = sourceOfForm(translation.language, unit.source);
  const languages = { source: component.sourceLanguage.code, target: translation.language.code };
  const wanted = allEngines.map((engine) => engine.id);
  const opened = await openEngines(deps.machinery, component.project, wanted, AbortSignal.timeout(PATIENCE_MS));
  const problems: string[] = [];
  const ask = async ({ definition, engine }: OpenEngine): Promise<MachineSuggestion[]> => {
    const sources = [...new Set(texts)];
    try {
      const translated = await translateTexts(definition, engine, sources, languages);
      const target = texts.map((text) => translated[sources.indexOf(text)] ?? '');
      if (target.includes('')) return [];
      return [{ engine: definition.id, engineName: definition.name, quality: definition.quality, target }];
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      problems.push(`${definition.name}: ${error.message}`);
      return [];
    }
  };
  const suggestions = (await Promise.all(opened.map(ask))).flat();
  return { suggestions: suggestions.sort((a, b) => b.quality - a.quality), problems };
}
