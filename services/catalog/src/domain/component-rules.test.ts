import { componentSettings, projectSettings } from '@parlance/contracts';
import { defaultSettings } from './settings-input';
import { componentProblems, schemaProblems, type FormatRules, type RuleContext } from './component-rules';
import type { ComponentSettings, Project, ProjectSettings } from './objects';

const bilingual: FormatRules = {
  kind: 'bi',
  editBase: false,
  startsEmpty: false,
  needsBaseWhenBilingual: false,
  params: [],
};
const formats: Record<string, FormatRules> = {
  po: { ...bilingual, params: ['po_line_wrap'] },
  json: { ...bilingual, kind: 'mono', editBase: true, startsEmpty: true },
  xliff: { ...bilingual, kind: 'both', editBase: true, startsEmpty: true, needsBaseWhenBilingual: true },
  csv: { ...bilingual, kind: 'both', startsEmpty: true },
};
const valid = {
  ...(defaultSettings(componentSettings) as unknown as ComponentSettings),
  name: 'App',
  slug: 'app',
  vcs: 'git',
  repo: 'https://git.example.com/acme/app.git',
  filemask: 'po/*.po',
  fileFormat: 'po',
  newLang: 'none',
};
const mono = { fileFormat: 'json', filemask: 'l/*.json', template: 'l/en.json', editTemplate: true };

function problemsOf(settings: Partial<ComponentSettings>, project: Partial<ProjectSettings> = {}) {
  const context: RuleContext = {
    project: { settings: { instructions: '', ...project } } as Project,
    sourceLanguage: 'en',
    format: (id) => formats[id],
    isCheck: (id) => id === 'same',
    flagProblem: (text) => (text === 'bad' ? 'unknown flag' : null),
    languageOf: (code) => (/^[a-z]{2}$/.test(code) ? code : null),
  };
  return componentProblems({ ...valid, ...settings }, context);
}
const attrsOf = (...given: Parameters<typeof problemsOf>) => problemsOf(...given).map(({ attr }) => attr);

describe('componentProblems', () => {
  it.each<[string, Partial<ComponentSettings>]>([
    ['a bilingual component', {}],
    ['a monolingual component', mono],
    ['a linked component', { repo: 'parlance://acme/app' }],
    ['a component without a remote', { vcs: 'local', repo: 'local:' }],
    ['a push address and branches', { push: 'ssh://git@example.com/app.git', branch: 'main', pushBranch: 'l10n/new' }],
    ['a base for new languages', { newLang: 'add', newBase: 'po/app.pot' }],
    ['a new language in a format that starts empty', { newLang: 'add', ...mono }],
    ['votes that accept suggestions', { suggestionVoting: true, suggestionAutoaccept: 2 }],
    [
      'known flags, checks and parameters',
      { checkFlags: 'ok', enforcedChecks: ['same'], fileFormatParams: { po_line_wrap: -1 } },
    ],
    ['a base file whose name has no code of a language', { ...mono, template: 'l/base.json' }],
  ])('%s is valid', (_, settings) => {
    expect(problemsOf(settings)).toEqual([]);
  });

  it.each<[string, Partial<ComponentSettings>, string]>([
    ['a linked component has no push address', { repo: 'parlance://acme/app', push: 'https://e.com/x.git' }, 'push'],
    ['a linked component has no branch', { repo: 'parlance://acme/app', branch: 'main' }, 'branch'],
    ['a linked component has no push branch', { repo: 'parlance://acme/app', pushBranch: 'main' }, 'push_branch'],
    ['a component without a remote has no address', { vcs: 'local' }, 'repo'],
    ['a component without a remote cannot push', { vcs: 'local', repo: 'local:', push: 'https://e.com/x.git' }, 'push'],
    [
      'a component without a remote has no push branch',
      { vcs: 'local', repo: 'local:', pushBranch: 'x' },
      'push_branch',
    ],
    ['a git repository is not local', { repo: 'local:' }, 'repo'],
    ['git gets no option as an address', { repo: '--upload-pack=x' }, 'repo'],
    ['git gets no option as a push address', { push: '--receive-pack=x' }, 'push'],
    ['an internal address is no push address', { push: 'parlance://acme/app' }, 'push'],
    ['git gets no option as a branch', { branch: '-x' }, 'branch'],
    ['git gets no option as a push branch', { pushBranch: '--x' }, 'push_branch'],
    ['links to files need a web address', { repoweb: 'javascript:alert(1)' }, 'repoweb'],
    ['links to files know their variables', { repoweb: 'https://e.com/{{ unknown }}' }, 'repoweb'],
    ['a file mask has a place for the language', { filemask: 'po/cs.po' }, 'filemask'],
    ['a mask of screenshots stays in the repository', { screenshotFilemask: '../*.png' }, 'screenshot_filemask'],
    ['a base file stays in the repository', { ...mono, template: '../en.json' }, 'template'],
    ['a file for new languages stays in the repository', { newBase: '/etc/passwd' }, 'new_base'],
    ['an expression for languages is valid', { languageRegex: '(' }, 'language_regex'],
    ['a key filter is valid', { ...mono, keyFilter: '(' }, 'key_filter'],
    ['keys are filtered in monolingual components', { keyFilter: '^a' }, 'key_filter'],
    ['variants differ in a part that is not empty', { variantRegex: '^x*$' }, 'variant_regex'],
    ['an intermediate file needs a base file', { intermediate: 'dev.po' }, 'intermediate'],
    [
      'an intermediate file needs an editable base file',
      { ...mono, intermediate: 'l/d.json', editTemplate: false },
      'intermediate',
    ],
    ['an intermediate file is another file', { ...mono, intermediate: mono.template }, 'intermediate'],
    ['the format exists', { fileFormat: 'docx' }, 'file_format'],
    ['a monolingual format needs a base file', { ...mono, template: '' }, 'template'],
    ['a bilingual format has no base file', { template: 'po/en.po', editTemplate: false }, 'template'],
    [
      'a .pot file is no base file of .po files',
      { fileFormat: 'csv', editTemplate: false, template: 'po/x.pot' },
      'template',
    ],
    [
      'some base files cannot be edited',
      { fileFormat: 'csv', filemask: 'l/*.csv', template: 'l/en.csv', editTemplate: true },
      'edit_template',
    ],
    ['the base file has the source language', { ...mono, template: 'l/de.json' }, 'template'],
    ['new languages need a base if the format has no empty file', { newLang: 'add' }, 'new_base'],
    ['new languages need a base if files contain the sources', { newLang: 'add', fileFormat: 'xliff' }, 'new_base'],
    ['parameters belong to the format', { fileFormatParams: { json_indent: 2 } }, 'file_format_params'],
    ['parameters have values of their kind', { fileFormatParams: { po_line_wrap: 'x' } }, 'file_format_params'],
    ['templates of messages are valid', { commitMessage: '{{ unknown }}' }, 'commit_message'],
    ['flags are valid', { checkFlags: 'bad' }, 'check_flags'],
    ['the own vote does not suffice', { suggestionVoting: true, suggestionAutoaccept: 1 }, 'suggestion_autoaccept'],
    ['accepting by votes needs voting', { suggestionAutoaccept: 3 }, 'suggestion_autoaccept'],
    ['enforced checks exist', { enforcedChecks: ['same', 'nope'] }, 'enforced_checks'],
    ['settings obey their schema', { priority: 7 }, 'priority'],
  ])('%s', (_, settings, attr) => {
    expect(attrsOf(settings)).toEqual([attr]);
  });

  it('requests for new languages are referred to instructions only if the project has some', () => {
    expect(attrsOf({ newLang: 'url' })).toEqual(['new_lang']);
    expect(attrsOf({ newLang: 'url' }, { instructions: ' \n' })).toEqual(['new_lang']);
    expect(attrsOf({ newLang: 'url' }, { instructions: 'Ask us.' })).toEqual([]);
  });

  it('each field is reported once, with the problem of its schema before those of the rules', () => {
    const problems = problemsOf({ branch: `-${'x'.repeat(500)}`, repo: 'parlance://acme/app', name: '' });
    expect(problems.map(({ attr, code }) => [attr, code])).toEqual([
      ['name', 'blank'],
      ['branch', 'max_length'],
    ]);
  });

  it('a missing file is reported as required, an unknown value as no choice', () => {
    const codeOf = (settings: Partial<ComponentSettings>) => problemsOf(settings)[0]!.code;
    expect(codeOf({ ...mono, template: '' })).toBe('required');
    expect(codeOf({ newLang: 'add' })).toBe('required');
    expect(codeOf({ fileFormat: 'docx' })).toBe('invalid_choice');
    expect(codeOf({ enforcedChecks: ['nope'] })).toBe('invalid_choice');
    expect(codeOf({ branch: '-x' })).toBe('invalid');
  });
});

describe('schemaProblems', () => {
  it('values that were not sent are not validated', () => {
    expect(schemaProblems(projectSettings, {})).toEqual([]);
    expect(schemaProblems(projectSettings, { web: 'no address', name: 'x'.repeat(1_000) })).toMatchObject([
      { attr: 'name', code: 'max_length' },
      { attr: 'web' },
    ]);
  });
});
