// Verdict of this package on a case: the ids of the failing checks.

/** Number of forms and plural formula of languages with plural cases. Other languages have two forms. */
export const PLURALS = {
  ar: [6, 'n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5'],
  cs: [3, '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2'],
  fr: [2, 'n > 1'],
  ja: [1, '0'],
  ru: [3, 'n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2'],
};
const DAY = 24 * 3600 * 1000;
const NOW = Date.UTC(2026, 0, 1);

const isBlank = (forms) => forms.every((form) => form === '');
const stateOf = (forms) => (isBlank(forms) ? 0 : 20);

/** Verdicts by check id that depend on other strings, a history, a glossary or statistics. @param checks the package under test */
const contextVerdicts = (checks) => ({
  reused: ({ source, target, lang, others }) =>
    checks.isReused(
      { source, target },
      others.filter((other) => (other.lang ?? lang) === lang),
      PLURALS[lang]?.[0] ?? 2,
    ),
  inconsistent: ({ source, target, lang, others }) => {
    const siblings = others.filter(
      (other) => (other.lang ?? lang) === lang && other.source.join('\n') === source.join('\n'),
    );
    const withState = (forms) => ({ target: forms, state: stateOf(forms) });
    return checks.isInconsistent(
      withState(target),
      siblings.map((other) => withState(other.target)),
    );
  },
  multiple_failures: (test) => {
    const failing = Object.entries(test.translations).filter(
      ([lang, target]) => pairVerdict(checks, { ...test, lang, target: [target] }).length > 0,
    );
    return !test.flags.includes('ignore-multiple-failures') && checks.failsInSeveralLanguages(failing.length);
  },
  translated: ({ target, edits }) => {
    // An import is not an edit: the history of a string starts with the first change by a person.
    const last = edits.at(-1) ?? { target, state: stateOf(target) };
    return checks.wasTranslated(
      { state: last.state, text: last.target[0] },
      edits.toReversed().map(({ target: [text], state }) => ({ action: state === 10 ? 37 : 2, target: text })),
    );
  },
  check_glossary: ({ source, target, flags, terms }) =>
    flags.includes('check-glossary') &&
    checks.disregardedTerms(
      { source, target },
      terms.map((term) => ({
        source: term.source,
        targets: [term.target],
        forbidden: term.flags === 'forbidden',
        readOnly: term.flags === 'read-only',
      })),
    ).length > 0,
  long_untranslated: ({ age }) =>
    checks.isLongUntranslated({ added: NOW - age.days * DAY, translatedShare: age.share }, age.component, NOW),
});

const pairVerdict = (checks, { source, target, lang, flags, state, glossary }) =>
  checks.runChecks({
    source,
    target,
    sourceLanguage: 'en',
    targetLanguage: lang,
    flags: checks.parseFlags(flags),
    isSource: lang === 'en',
    isGlossary: glossary,
    state: state ?? stateOf(target),
    pluralFormula: PLURALS[lang]?.[1] ?? 'n != 1',
  });

/** The failing ids of a case. For cases with context, only the id of their own check. */
export function verdict(checks, test) {
  const failsInContext = contextVerdicts(checks)[test.check];
  if (!failsInContext) return pairVerdict(checks, test);
  return failsInContext(test) ? [test.check] : [];
}

/** Rows of the table in docs/differences.md: per check the numbers of agreeing and differing cases, and the reasons. */
export function differences(cases) {
  const rows = new Map();
  for (const { check, peer, reason } of cases) {
    const row = rows.get(check) ?? { check, cases: 0, agreeing: 0, argued: 0, reasons: new Set() };
    rows.set(check, row);
    row.cases++;
    if (reason === undefined) row.agreeing++;
    else {
      if (peer) row.argued++;
      row.reasons.add(reason);
    }
  }
  return [...rows.values()].map((row) => ({ ...row, reasons: [...row.reasons] }));
}
