import type { TextField } from './ast';
import { parseQuery } from './parse';
import { requiredTexts, type Required } from './required';

const fields = new Set<TextField>(['source', 'target', 'context']);
const required = (q: string): Required => requiredTexts(parseQuery(q), fields);
const text = (value: string, exact = false): Required => ({ type: 'text', value, exact });

test('a searched text is required', () => {
  expect(required('menu')).toEqual(text('menu', true));
  expect(required('target:"two words"')).toEqual(text('two words'));
  expect(required('source:="whole"')).toEqual(text('whole'));
  expect(required('key:button.ok')).toEqual(text('button.ok'));
});

test('OR requires one alternative, AND requires all', () => {
  expect(required('menu AND state:translated AND target:ok')).toEqual({
    type: 'and',
    children: [text('menu', true), { type: 'any' }, text('ok')],
  });
  expect(required('menu OR target:ok')).toEqual({ type: 'or', children: [text('menu', true), text('ok')] });
  expect(required('menu OR state:translated')).toEqual({ type: 'any' });
});

test('negations, other fields and patterns without literals impose no condition', () => {
  for (const query of ['NOT menu', 'target:r"m?|n"', 'note:menu', 'state:translated', 'comment:menu', ''])
    expect([query, required(query)]).toEqual([query, { type: 'any' }]);
});

test('the literals of a regular expression are required', () => {
  expect(required('target:r"^men. item"')).toEqual({ type: 'and', children: [text('men'), text(' item')] });
});
