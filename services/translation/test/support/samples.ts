import type { Caller } from '@parlance/access';
import { blankUnit } from '../../src/app/import/file-entry';
import { emptyCounters } from '../../src/domain/counters';
import type { Component, Language } from '../../src/domain/component';
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

export const language = (code: string): Language => ({
  id: 1,
  code,
  name: code,
  direction: 'ltr',
  pluralNumber: 2,
  pluralFormula: 'n != 1',
});

/** A caller with all permissions. */
export const person = (userId: number, username = `user-${userId}`): Caller => ({
  userId,
  username,
  fullName: `Full ${username}`,
  email: `${username}@example.com`,
  isSuperuser: true,
  isBot: false,
  anonymous: false,
  grants: [],
});

/** A component of gettext files. */
export function sampleComponent(id: number, settings: Partial<Component> = {}): Component {
  return {
    id,
    project: 1,
    projectSlug: 'p',
    path: 'app',
    name: 'App',
    accessControl: 0,
    restricted: false,
    locked: false,
    agreement: '',
    enforced2fa: false,
    fileFormat: 'po',
    fileFormatParams: {},
    template: '',
    intermediate: '',
    editTemplate: true,
    manageUnits: true,
    newBase: '',
    sourceLanguage: language('en'),
    checkFlags: '',
    enforcedChecks: [],
    translationReview: false,
    sourceReview: false,
    priority: 100,
    isGlossary: false,
    propagation: false,
    enableSuggestions: true,
    suggestionVoting: false,
    suggestionAutoaccept: 0,
    keyFilter: '',
    commitPolicy: 0,
    variantRegex: '',
    ...settings,
  };
}

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

/** An untranslated string. */
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
