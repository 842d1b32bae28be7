import type { translation } from '@parlance/contracts';

/** Identity of a translation of a component. */
export interface TranslationKey {
  id: number;
  componentId: number;
  languageCode: string;
  isSource: boolean;
  /** Name of a language that the catalog does not have. */
  languageName: string | undefined;
}

export const toTranslationKey = (t: translation.Translation__Output): TranslationKey => ({
  id: t.id,
  componentId: t.componentId,
  languageCode: t.languageCode,
  isSource: t.isSource,
  languageName: t.language?.name,
});
