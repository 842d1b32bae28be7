import type { PluralInfo } from '../format';

/** The CLDR plural categories in their usual order. */
export const CATEGORIES: readonly string[] = ['zero', 'one', 'two', 'few', 'many', 'other'];

/** One form of a plural that a file keeps under its CLDR category. */
export interface CategoryForm {
  category: string;
  text: string;
}

/**
 * The targets of such a plural: by the language's categories where they are known (absent ones ''), else in file order.
 */
export function formsToTarget(forms: readonly CategoryForm[], plural: PluralInfo | undefined): string[] {
  if (!plural?.names) return forms.map((form) => form.text);
  return plural.names.map((name) => forms.find((form) => form.category === name)?.text ?? '');
}

/** The category of each item of a target that `formsToTarget` gave or a caller made for a new plural. */
export function targetCategories(
  count: number,
  forms: readonly { category: string }[],
  plural: PluralInfo | undefined,
): string[] {
  const known = plural?.names ?? (forms.length > 0 ? forms.map((form) => form.category) : defaultCategories(count));
  const names = [...known];
  for (const category of [...CATEGORIES].reverse())
    if (names.length < count && !names.includes(category)) names.push(category);
  return names.slice(0, count);
}

/** What a target of that many forms most likely means in a language that nobody named. */
function defaultCategories(count: number): string[] {
  if (count <= 1) return ['other'];
  if (count === 2) return ['one', 'other'];
  if (count === 3) return ['one', 'few', 'other'];
  if (count === 4) return ['one', 'few', 'many', 'other'];
  if (count === 5) return ['one', 'two', 'few', 'many', 'other'];
  return CATEGORIES.slice(0, count);
}
