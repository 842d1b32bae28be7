import { blankUnit } from '../../src/app/import/file-entry';
import { emptyCounters } from '../../src/domain/counters';
import type { Translation } from '../../src/domain/translation';
import type { Unit } from '../../src/domain/unit';

export const czech = {
  id: 2,
  code: 'cs',
  name: 'Czech',
  direction: 'ltr',
  pluralNumber: 3,
  pluralFormula: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2',
};

/** A Czech translation without strings, alone in its component. */
export function sampleTranslation(id: number, fields: Partial<Translation> = {}): Translation {
  return {
    id,
    component: id,
    project: 1,
    language: czech,
    fileLanguageCode: 'cs',
    filename: 'cs.po',
    revision: '',
    isTemplate: false,
    isSource: false,
    counters: emptyCounters(),
    version: 1,
    ...fields,
  };
}

/** A string that is not translated yet. */
export function sampleUnit(translation: Translation, id: number, fields: Partial<Unit> = {}): Unit {
  const entry = {
    key: String(id),
    context: '',
    source: [`Text ${id}`],
    target: [''],
    state: 0,
    note: '',
    location: '',
    flags: '',
    previousSource: [],
  };
  return { ...blankUnit(translation, entry, id, 1), position: id, words: 2, chars: 9, ...fields };
}
