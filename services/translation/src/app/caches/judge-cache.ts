import type { Component, Language } from '../../domain/component';
import { Judge } from '../checks/quality';
import type { Judges } from './interfaces';

const CAPACITY = 5_000;

/** Reuses a judge as long as the settings that it depends on are the same. */
export class JudgeCache implements Judges {
  private readonly judges = new Map<string, Judge>();

  for(component: Component, language: Language): Judge {
    const { id, sourceLanguage, isGlossary, checkFlags } = component;
    const { code, pluralNumber, pluralFormula } = language;
    const key = [id, code, pluralNumber, pluralFormula, sourceLanguage.code, isGlossary, checkFlags].join(':');
    let judge = this.judges.get(key);
    if (!judge) {
      if (this.judges.size > CAPACITY) this.judges.clear();
      this.judges.set(key, (judge = new Judge(component, language)));
    }
    return judge;
  }
}
