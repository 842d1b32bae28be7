import type { Component, Language } from '../../domain/component';
import { UnitEvaluator } from '../checks/unit-evaluator';
import type { UnitEvaluators } from './interfaces';

const CAPACITY = 5_000;

/** Reuses an evaluator as long as the settings that it depends on are the same. */
export class UnitEvaluatorCache implements UnitEvaluators {
  private readonly evaluators = new Map<string, UnitEvaluator>();

  for(component: Component, language: Language): UnitEvaluator {
    const { id, sourceLanguage, isGlossary, checkFlags, fonts } = component;
    const { code, pluralNumber, pluralFormula } = language;
    const key = [id, code, pluralNumber, pluralFormula, sourceLanguage.code, isGlossary, fonts?.key, checkFlags].join(
      ':',
    );
    let evaluator = this.evaluators.get(key);
    if (!evaluator) {
      if (this.evaluators.size > CAPACITY) this.evaluators.clear();
      this.evaluators.set(key, (evaluator = new UnitEvaluator(component, language)));
    }
    return evaluator;
  }
}
