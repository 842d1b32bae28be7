import type { z } from 'zod';
import type { componentListSchema } from '../../resources/component-lists/schema';
import type { componentSchema } from '../../resources/components/schema';
import type { languageSchema } from '../../resources/languages/schema';
import type { projectSchema } from '../../resources/projects/schema';
import type { projectLanguageSchema, statisticsSchema } from '../../resources/statistics/schema';
import type { componentTranslationSchema, translationSchema } from '../../resources/translations/schema';

// Responses of the API that pages show.
export type Component = z.infer<typeof componentSchema>;
export type ComponentList = z.infer<typeof componentListSchema>;
export type Language = z.infer<typeof languageSchema>;
export type Project = z.infer<typeof projectSchema>;
export type ProjectLanguage = z.infer<typeof projectLanguageSchema>;
export type Statistics = z.infer<typeof statisticsSchema>;
export type Translation = z.infer<typeof translationSchema>;
export type ComponentTranslation = z.infer<typeof componentTranslationSchema>;

/** A page of a list of the API. */
export interface ListPage<T> {
  count: number;
  next: string | null;
  previous: string | null;
  results: T[];
}
