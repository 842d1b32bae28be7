import type { Component, Language } from '../../domain/component';
import type { Translation } from '../../domain/translation';
import { mergeFile } from './merge-file';

const language = { code: 'cs', pluralNumber: 3, pluralFormula: '(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2' } as Language;
const component = {
  fileFormat: 'po',
  fileFormatParams: {},
  template: '',
  sourceLanguage: { ...language, code: 'en' },
} as unknown as Component;
const translation = { id: 1, language } as Translation;
const file = (texts: Record<string, string>) =>
  Buffer.from(
    `msgid ""\nmsgstr "Language: cs\\n"\n${Object.entries(texts)
      .map(([source, target]) => `\nmsgid "${source}"\nmsgstr "${target}"\n`)
      .join('')}`,
  );
const merged = (
  base: Record<string, string> | null,
  local: Record<string, string>,
  upstream: Record<string, string>,
) => {
  const { bytes, conflicts } = mergeFile({
    component,
    translation,
    base: base ? file(base) : Buffer.alloc(0),
    local: file(local),
    upstream: file(upstream),
  });
  return { text: bytes.toString(), conflicts };
};

it('A merge contains the changes of each side, and the local text where both sides changed a string', () => {
  const base = { One: '', Two: '', Three: '' };
  const { text, conflicts } = merged(base, { ...base, One: 'a', Two: 'b' }, { ...base, Two: 'x', Three: 'c' });
  expect(text).toBe(file({ One: 'a', Two: 'b', Three: 'c' }).toString());
  expect(conflicts).toMatchObject([{ source: ['Two'], local: ['b'], upstream: ['x'] }]);
});

it.each([
  ['both sides added the file', null],
  ['the local side cleared the text', { One: 'jedna' }],
])('A merge keeps an upstream text over an empty local one when %s', (_, base) => {
  expect(merged(base, { One: '' }, { One: 'upstream' })).toEqual({
    text: file({ One: 'upstream' }).toString(),
    conflicts: [],
  });
});

it('A merge clears a text that only the local side cleared', () => {
  expect(merged({ One: 'jedna' }, { One: '' }, { One: 'jedna' }).text).toBe(file({ One: '' }).toString());
});

it('A string that was deleted locally but changed upstream stays in the file and is reported as a conflict', () => {
  const { text, conflicts } = merged({ One: 'jedna', Two: 'dvě' }, { Two: 'dvě' }, { One: 'jednou', Two: 'dvě' });
  expect(text).toBe(file({ One: 'jednou', Two: 'dvě' }).toString());
  expect(conflicts).toMatchObject([{ source: ['One'], local: [], upstream: ['jednou'] }]);
});
