import type { AnalyzedUnit } from '../check-input';

export function plurals({ target }: AnalyzedUnit): boolean {
  if (target.length < 2) return false;
  const blank = target.filter((form) => form.blank).length;
  return blank > 0 && blank < target.length;
}

export function samePlurals({ source, target }: AnalyzedUnit): boolean {
  const first = target[0];
  if (target.length < 2 || !first || first.blank) return false;
  if (source.length > 1 && source.every((form) => form.text === source[0]!.text)) return false;
  return target.every((form) => form.text === first.text);
}

export const optionalPlural = ({ source }: AnalyzedUnit): boolean =>
  source.length === 1 && /\p{L}\((?:s|es|ies)\)(?!\p{L})/iu.test(source[0]!.text);
