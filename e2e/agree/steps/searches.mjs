// Queries of the search language over the same strings: which strings they find, and how wrong ones are refused.
import { learnUnits, makeWorld } from '../world.mjs';

const words = ['hello', 'Hello', 'commit', 'UPPER', 'upper', 'žluťoučký', 'zlutoucky', 'soubor', '%s', '%', '"', '""', '"Save changes"', 'x', 'key.with.dots', '...', '…', 'bold', '<b>', 'line one', '日本', 'こんにちは'];
const textFields = ['source', 'target', 'context', 'key', 'note', 'location', 'explanation'];
const textValues = ['save', '"Save"', '="Save"', '="save"', '=Save', '""', '""', 'main.c', '"a.b.c"', 'r"^S"', 'r"[sS]ave$"', 'r"("', '*'];

export const queries = [
  '',
  ...words,
  ...textFields.flatMap((field) => [...new Set(textValues)].map((value) => `${field}:${value}`)),
  ...['empty', 'translated', 'needs-editing', 'approved', 'read-only', 'readonly', '0', '10', '20', '30', '100', 'nope', '<translated', '>=needs-editing', '<=translated', '>empty', '[empty TO translated]'].map((v) => `state:${v}`),
  ...['plural', 'note', 'context', 'location', 'comment', 'suggestion', 'check', 'translation', 'flags', 'explanation', 'shaping', 'label', 'screenshot', 'glossary', 'variant', 'dismissed-check', 'resolved-comment', 'nope'].map((v) => `has:${v}`),
  ...['pending', 'translated', 'untranslated', 'approved', 'fuzzy', 'read-only', 'nope'].map((v) => `is:${v}`),
  ...['100', '110', '>100', '>=100', '<100', '[90 TO 110]', '[101 TO 200]', '{100 TO 110}', 'x', ''].map((v) => `priority:${v}`),
  ...['1', '>1', '<5', '[1 TO 3]', 'x', '0', '>=0'].map((v) => `position:${v}`),
  ...['same', 'end_stop', 'end_colon', 'end_question', 'c_format', 'python_format', 'python_brace_format', 'max-length', 'max_length', 'plurals', 'nope', 'end_ellipsis', 'begin_space', 'end_space', 'missing_format'].map((v) => `check:${v}`),
  ...['same', 'nope'].map((v) => `dismissed_check:${v}`),
  ...['cs', 'de', 'Czech', 'nope', '="cs"'].map((v) => `language:${v}`),
  ...['po', 'json', '="po"', 'nope'].map((v) => `component:${v}`),
  ...['agree', 'nope'].map((v) => `project:${v}`),
  ...['admin', '"Ada Admin"', 'nobody', ''].map((v) => `changed_by:${v}`),
  ...['2020-01-01', '>2020-01-01', '<2020-01-01', 'today', 'yesterday', '2020', '[2020-01-01 TO 2100-01-01]', 'nonsense', '2020-13-45'].flatMap((v) => [`changed:${v}`, `added:${v}`, `source_changed:${v}`, `last_changed:${v}`]),
  ...['translation-changed', 'new', 'nope', 'translation-uploaded', 'marked-for-edit'].map((v) => `change_action:${v}`),
  ...['urgent', 'nope', '""'].map((v) => `label:${v}`),
  ...['admin', 'nobody'].flatMap((v) => [`suggestion_author:${v}`, `comment_author:${v}`]),
  'suggestion:x',
  'comment:x',
  'resolved_comment:x',
  'screenshot:x',
  'id:1',
  'id:x',
  'id:1,2,3',
  'pending:true',
  'pending:false',
  'pending:maybe',
  'NOT hello',
  'not hello',
  'hello AND world',
  'hello world',
  'hello OR save',
  'hello or save',
  '(hello OR save) AND state:translated',
  'hello OR save AND state:translated',
  'NOT (hello OR save)',
  'state:translated AND NOT has:check',
  'state:translated has:plural',
  '(',
  ')',
  '(hello',
  'hello)',
  'AND',
  'OR',
  'NOT',
  'hello AND',
  'AND hello',
  'nofield:x',
  'source:',
  'source:"unclosed',
  '"unclosed',
  'a:b:c',
  'source:https://example.com/',
  'https://example.com/',
  'source:"https://example.com/"',
  'r"save"',
  'r"^Save$"',
  'r"("',
  'source:r"\\d"',
  'target:r"[0-9]+"',
  'source:r"(?i)SAVE"',
  'source:*save*',
  'sav*',
  'source:Sav?',
  'source:\\"Quote',
  "source:'Save'",
  "'Save changes'",
  'source:"Save" OR context:"menu"',
  'source:="Save" AND context:="menu"',
  'context:="menu"',
  'context:menu',
  'context:=menu',
  'note:Verb',
  'location:src/save.c',
  'location:"src/save.c:10"',
  'explanation:""',
  'note:""',
  'target:""',
  'target:="" AND source:Save',
  'state:empty AND has:plural',
  'has:plural AND has:check',
  'source_state:translated',
  'path:agree',
  'variant:x',
  'hello\tworld',
  '  hello  ',
  'state:translated state:empty',
  'STATE:translated',
  'state: translated',
  'state :translated',
  'has:note has:location',
  'hello -world',
  '-hello',
  'a'.repeat(300),
];

const found = (body) => (Array.isArray(body?.results) ? { count: body.count, found: body.results.map((u) => `${u.language_code ?? ''}|${u.context}|${u.source.join('/')}`).sort() } : body);

export async function searches(context) {
  const { sides, project: p, report } = context;
  await makeWorld(context, ['po', 'json']);
  await learnUnits(sides, p, 'po');
  const unit = (source) => (side) => `/api/units/${side.ids.get(`po|cs||${source}`)}/`;
  await sides.ask('PATCH', unit('Save changes'), { target: ['Uložit změny'], state: 20 });
  await sides.ask('PATCH', unit('Delete all'), { target: ['Smazat vše'], state: 10 });
  const scopes = { cs: `/api/translations/${p}/po/cs/units/`, de: `/api/translations/${p}/po/de/units/`, json: `/api/translations/${p}/json/de/units/` };
  for (const [scope, path] of Object.entries(scopes))
    for (const q of queries) {
      const [ours, theirs] = await sides.ask('GET', `${path}?page_size=1000&q=${encodeURIComponent(q)}`);
      report.answer('searches', `${scope}: ${q}`, { ...ours, body: found(ours.body) }, { ...theirs, body: found(theirs.body) });
    }
}
