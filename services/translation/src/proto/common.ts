import type { common } from '@parlance/contracts';
import type { Language } from '../domain/component';
import { groups, type Counters, type Tally } from '../domain/counters';
import type { Author } from '../domain/unit';

// Mappings of common messages that handlers and clients share.

const tallyToProto = (t: Tally): common.Tally => ({ strings: t.s, words: t.w, chars: t.c });

export function countersToProto(c: Counters): common.Counters {
  const out: common.Counters = {
    checks: c.checks,
    lastChangeMs: c.lastChange,
    lastAuthor: c.lastAuthor,
    lastAuthorId: c.lastAuthorId,
    contentChanges: c.contentChanges,
  };
  for (const group of groups) out[group] = tallyToProto(c[group]);
  return out;
}

export function languageToProto(l: Language): common.LanguageInfo {
  return {
    id: l.id,
    code: l.code,
    name: l.name,
    direction: l.direction,
    pluralNumber: l.pluralNumber,
    pluralFormula: l.pluralFormula,
  };
}

export function languageFromProto(l: common.LanguageInfo__Output): Language {
  return {
    id: l.id,
    code: l.code,
    name: l.name,
    direction: l.direction,
    pluralNumber: l.pluralNumber,
    pluralFormula: l.pluralFormula,
  };
}

export function authorToProto(a: Author): common.Author {
  return { userId: a.userId, username: a.username, fullName: a.fullName, email: a.email };
}

export function authorFromProto(a: common.Author__Output | null): Author | null {
  return a && { userId: a.userId, username: a.username, fullName: a.fullName, email: a.email };
}
