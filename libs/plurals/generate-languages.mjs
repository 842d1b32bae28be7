// Generates src/languages.json from CLDR, ISO 639-3 and the classic gettext plural formulas.
// Run `node libs/plurals/generate-languages.mjs` after an update of cldr-core or iso-639-3 and commit the result.
// English names come from the CLDR that Node carries (Intl.DisplayNames), then from ISO 639-3.
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { iso6393 } from 'iso-639-3';
import {
  ALIASES,
  CLASSIC_FORMULAS,
  CLASSIC_TYPES,
  COUNTRY_OVERRIDES,
  MORE_CODES,
  NAME_OVERRIDES,
  SCRIPT_OVERRIDES,
  VARIANTS,
} from './generate-languages.data.mjs';

const require = createRequire(import.meta.url);
const territories = require('cldr-core/supplemental/territoryInfo.json').supplemental.territoryInfo;
const likely = require('cldr-core/supplemental/likelySubtags.json').supplemental.likelySubtags;
const pluralRules = require('cldr-core/supplemental/plurals.json').supplemental['plurals-type-cardinal'];
const scripts = require('cldr-core/scriptMetadata.json').scriptMetadata;
const locales = require('cldr-core/availableLocales.json').availableLocales.full;
const cldrAliases = require('cldr-core/supplemental/aliases.json').supplemental.metadata.alias.languageAlias;

const displayNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none', languageDisplay: 'standard' });
const scriptNames = new Intl.DisplayNames('en', { type: 'script' });
const isoByCode = new Map(iso6393.map((entry) => [entry.iso6391 ?? entry.iso6393, entry]));

const likelyParts = (code) => {
  const subtags = likely[code.replaceAll('_', '-')] ?? likely[code.split('_')[0]];
  const [language, script, country] = (subtags ?? '').split('-');
  return { language, script, country };
};

const populations = new Map();
const addPopulation = (code, count) => populations.set(code, (populations.get(code) ?? 0) + count);
for (const [territory, info] of Object.entries(territories)) {
  for (const [key, share] of Object.entries(info.languagePopulation ?? {})) {
    const speakers = (Number(info._population) * Number(share._populationPercent)) / 100;
    const [language, script] = key.split('_');
    addPopulation(language, speakers);
    addPopulation(`${language}_${territory}`, speakers);
    const written = script ?? likely[`${language}-${territory}`]?.split('-')[1] ?? likelyParts(language).script;
    if (written) {
      addPopulation(`${language}_${written}`, speakers);
      addPopulation(`${language}_${written}_${territory}`, speakers);
    }
  }
}

const codes = new Set(VARIANTS);
for (const key of [...populations.keys()].filter((key) => !key.includes('_'))) codes.add(key);
for (const locale of locales) codes.add(locale.split('-')[0]);
for (const entry of iso6393) if (entry.iso6391 && entry.type !== 'historical') codes.add(entry.iso6391);
for (const code of Object.keys(CLASSIC_FORMULAS)) codes.add(code);
for (const code of MORE_CODES) codes.add(code);
// These have an entry under the code that people use: zh_Hans and zh_Hant, nb, sr with its scripts, he, id, yi.
for (const code of ['zh', 'no', 'iw', 'in', 'ji', 'jw', 'mo', 'root', 'mul', 'kro']) codes.delete(code);

const nameOf = (code) => {
  if (NAME_OVERRIDES[code]) return NAME_OVERRIDES[code];
  const [base, variant] = code.split('@');
  if (variant === 'formal' || variant === 'informal') {
    const name = nameOf(base);
    return name.endsWith(')') ? `${name.slice(0, -1)}, ${variant})` : `${name} (${variant})`;
  }
  const tag = base.replaceAll('_', '-') + (variant === 'valencia' ? '-valencia' : '');
  // Intl answers for the preferred code (Akan for tw): then ISO's own name is the right one.
  const preferred = !cldrAliases[tag];
  const name = (preferred ? displayNames.of(tag) : undefined) ?? isoByCode.get(base)?.name;
  if (!name && /^[a-z]+_[A-Z][a-z]{3}$/.test(code)) {
    const [language, script] = code.split('_');
    return `${nameOf(language)} (${scriptNames.of(script)})`;
  }
  if (!name) throw new Error(`no name for ${code}`);
  return name;
};

const directionOf = (code) => {
  const script =
    code.split(/[_@]/).find((part) => /^[A-Z][a-z]{3}$/.test(part)) ??
    SCRIPT_OVERRIDES[code] ??
    likelyParts(code).script;
  return script && scripts[script]?.rtl === 'YES' ? 'rtl' : 'ltr';
};

// CLDR conditions with the operands of a whole number: v w f t c e are 0, i is n.
const convertRelation = (relation) => {
  const [, operand, , modulus, operator, list] = /^([nivwftce])( % (\d+))? (!?=) ([\d.,]+)$/.exec(relation);
  const ranges = list.split(',').map((part) => part.split('..').map(Number));
  if (!'ni'.includes(operand)) {
    const matches = ranges.some(([low, high = low]) => low <= 0 && 0 <= high);
    return (operator === '=') === matches;
  }
  const value = modulus ? `n % ${modulus}` : 'n';
  const wide = ranges.map(([low, high = low]) => {
    if (low === high) return operator === '=' ? `${value} == ${low}` : `${value} != ${low}`;
    if (operator === '=') return low === 0 ? `${value} <= ${high}` : `(${value} >= ${low} && ${value} <= ${high})`;
    return low === 0 ? `${value} > ${high}` : `(${value} < ${low} || ${value} > ${high})`;
  });
  if (wide.length === 1) return wide[0];
  return operator === '=' ? `(${wide.join(' || ')})` : `(${wide.join(' && ')})`;
};
const convertCondition = (condition) => {
  const alternatives = [];
  for (const alternative of condition.split(' or ')) {
    const parts = alternative.split(' and ').map(convertRelation);
    if (parts.includes(false)) continue;
    const terms = parts.filter((part) => part !== true);
    if (terms.length === 0) return true;
    alternatives.push(terms.join(' && ').replace(/^\((.*)\)$/, (whole, inner) => (terms.length === 1 ? inner : whole)));
  }
  if (alternatives.length === 0) return false;
  return alternatives.length === 1
    ? alternatives[0]
    : alternatives.map((part) => (part.includes('&&') ? `(${part})` : part)).join(' || ');
};

const TYPE_BY_CATEGORIES = {
  other: 0,
  'one other': 1,
  'one few other': 2,
  'one two other': 4,
  'one two few other': 6,
  'one few many other': 8,
  'two other': 9,
  'one two few many other': 10,
  'zero one other': 11,
  'zero one two few many other': 12,
  'zero other': 15,
  'zero one few other': 16,
  'zero one two few other': 17,
  'zero one two other': 18,
  'zero one few many other': 19,
  'one many other': 20,
  'zero one many other': 21,
  'one few many': 22,
};

const cldrPlural = (tag) => {
  const rules = pluralRules[tag];
  if (!rules) return undefined;
  const conditions = [];
  for (const category of ['zero', 'one', 'two', 'few', 'many']) {
    const rule = rules[`pluralRule-count-${category}`];
    if (!rule) continue;
    const condition = convertCondition(rule.split('@')[0].trim());
    if (condition !== false) conditions.push({ category, condition });
  }
  // "1 million of X": gettext catalogues in the field have no form of their own for whole millions.
  const list =
    conditions.length === 2 && /% 1000000/.test(conditions[1].condition) ? conditions.slice(0, 1) : conditions;
  const categories = [...list.map((item) => item.category), 'other'].join(' ');
  if (list.length === 0) return [1, '0', 0];
  const one = list[0].condition;
  if (list.length === 1 && categories === 'one other') {
    if (one === 'n == 1') return [2, 'n != 1', 1];
    if (one === 'n <= 1' || one === '(n == 0 || n == 1)' || one === 'n == 0 || n == 1') return [2, 'n > 1', 1];
  }
  const type = TYPE_BY_CATEGORIES[categories];
  if (type === undefined) throw new Error(`no plural type for ${tag}: ${categories}`);
  return [list.length + 1, list.map((item, index) => `(${item.condition}) ? ${index} : `).join('') + list.length, type];
};

const classicPlural = (code) => {
  const name = CLASSIC_FORMULAS[code];
  return name === undefined ? undefined : CLASSIC_TYPES[name];
};
const pluralOf = (code) => {
  const base = code.split(/[_@]/)[0];
  return (
    classicPlural(code) ??
    cldrPlural(code.replaceAll('_', '-')) ??
    classicPlural(base) ??
    cldrPlural(base) ?? [2, 'n != 1', 1]
  );
};

// A region's population also applies to its script (zh_Hant_HK) and to formal and informal variants, but not to other variants.
const populationOf = (code) => {
  const [base, variant] = code.split('@');
  return Math.round(!variant || /^(in)?formal$/.test(variant) ? (populations.get(base) ?? 0) : 0);
};

const sorted = [...codes].sort((a, b) => (a < b ? -1 : 1));
const known = new Set(sorted);
const byLower = new Map(sorted.map((code) => [code.toLowerCase(), code]));
const aliasOwner = new Map();
// In a file name these mean the source language, not Sardinian.
const RESERVED = new Set(['src', 'default']);
const addAlias = (alias, target) => {
  const key = alias.toLowerCase().replaceAll('-', '_');
  if (RESERVED.has(key)) return;
  if (!known.has(target) || byLower.has(key) || aliasOwner.has(key)) return;
  aliasOwner.set(key, target);
};
for (const [target, list] of Object.entries(ALIASES)) {
  if (!known.has(target)) throw new Error(`alias target ${target} is unknown`);
  for (const alias of list) addAlias(alias, target);
}
for (const entry of iso6393) {
  for (const alias of [entry.iso6393, entry.iso6392T, entry.iso6392B]) {
    if (alias && entry.iso6391) addAlias(alias, entry.iso6391);
  }
}
for (const [alias, { _replacement, _reason }] of Object.entries(cldrAliases)) {
  const target = _replacement.split(' ')[0].replaceAll('-', '_');
  if (target !== 'und' && ['deprecated', 'legacy', 'macrolanguage', 'bibliographic'].includes(_reason))
    addAlias(alias, target);
}
const aliasesOf = new Map();
for (const [alias, target] of aliasOwner) aliasesOf.set(target, [...(aliasesOf.get(target) ?? []), alias]);

const plurals = [];
const pluralIndex = (plural) => {
  const text = JSON.stringify(plural);
  const found = plurals.indexOf(text);
  return found >= 0 ? found : plurals.push(text) - 1;
};
const rows = sorted.map((code) => {
  const country = /^[a-z]+$/.test(code) ? (COUNTRY_OVERRIDES[code] ?? likelyParts(code).country ?? '') : '';
  const script =
    /_([A-Z][a-z]{3})/.exec(code)?.[1] ??
    (code.includes('@') ? '' : (SCRIPT_OVERRIDES[code] ?? likelyParts(code).script ?? ''));
  const direction = directionOf(code) === 'rtl' ? 1 : 0;
  return [
    code,
    nameOf(code),
    direction,
    populationOf(code),
    pluralIndex(pluralOf(code)),
    country,
    script,
    (aliasesOf.get(code) ?? []).sort(),
  ];
});
const names = new Map();
for (const [code, name] of rows) {
  if (names.has(name)) throw new Error(`${code} and ${names.get(name)} are both called ${name}`);
  names.set(name, code);
}

const target = fileURLToPath(new URL('./src/languages.json', import.meta.url));
writeFileSync(
  target,
  `{\n  "plurals": [\n    ${plurals.join(',\n    ')}\n  ],\n  "languages": [\n    ${rows.map((row) => JSON.stringify(row)).join(',\n    ')}\n  ]\n}\n`,
);
console.log(`${rows.length} languages, ${aliasOwner.size} aliases, ${plurals.length} plural rules -> ${target}`);
