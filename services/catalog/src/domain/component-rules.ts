import { compilePattern, patternProblem } from '@parlance/patterns';
import {
  componentSettings,
  fieldsOf,
  formatParamSettings,
  messageVariables,
  readRequest,
  repoWebVariables,
  templateProblem,
  valueProblem,
  type RequestSchema,
  type SettingProblem,
} from '@parlance/contracts';
import { codeInPath, maskProblem, pathProblem } from './file-paths';
import type { ComponentSettings, Project } from './objects';
import { addressProblem, branchProblem, LOCAL_REPOSITORY, parseLink } from './repository-address';

/** Properties of a file format that the rules need; a row of the table of formats. */
export interface FormatRules {
  kind: 'mono' | 'bi' | 'both';
  editBase: boolean;
  /** The file of a new language can be created without a base file. */
  startsEmpty: boolean;
  /** Translation files contain the source texts: a new one requires a base although the format could start empty. */
  needsBaseWhenBilingual: boolean;
  params: readonly string[];
}

/** Vocabularies and objects that the rules need. */
export interface RuleContext {
  project: Project;
  sourceLanguage: string;
  format(id: string): FormatRules | undefined;
  isCheck(id: string): boolean;
  /** Problem of a text of flags, or null. */
  flagProblem(text: string): string | null;
  /** Canonical code of a code in a file name; null if it is invalid. */
  languageOf(fileCode: string): string | null;
}

/** Validates each value by its schema: type, length, range, choices, format. */
export function schemaProblems(schema: RequestSchema, values: Readonly<Record<string, unknown>>): SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const setting of fieldsOf(schema)) {
    const value = values[setting.key];
    if (
      value === undefined ||
      setting.access === 'read-only' ||
      setting.type === 'relation' ||
      setting.type === 'object' ||
      setting.type === 'objects'
    )
      continue;
    if (setting.type === 'id') continue;
    const problem = valueProblem(setting, value);
    if (problem) problems.push(problem);
  }
  return problems;
}

type Report = (attr: string, detail: string, code?: string) => void;

/**
 * All problems of a component's settings that can be found without the repository. The settings
 * are complete; `repo` is the given value, so it may be an internal address.
 */
export function componentProblems(settings: ComponentSettings, context: RuleContext): SettingProblem[] {
  const problems = schemaProblems(componentSettings, { ...settings, sourceLanguage: context.sourceLanguage });
  const wrong = new Set(problems.map((p) => p.attr));
  // Reports one problem for each field; problems from the schema come first.
  const report: Report = (attr, detail, code = 'invalid') => {
    if (wrong.has(attr)) return;
    wrong.add(attr);
    problems.push({ attr, code, detail });
  };
  repositoryRules(settings, report);
  fileRules(settings, report);
  formatRules(settings, context, report);
  textRules(settings, context, report);
  if (settings.newLang === 'url' && !context.project.settings.instructions.trim()) {
    report('new_lang', 'The project has no instructions to refer to.');
  }
  if (settings.suggestionAutoaccept === 1)
    report('suggestion_autoaccept', 'The author’s own vote would accept the suggestion; use 0 or at least 2.');
  if (settings.suggestionAutoaccept > 0 && !settings.suggestionVoting)
    report('suggestion_autoaccept', 'Accepting by votes requires suggestion_voting.');
  const unknown = settings.enforcedChecks.find((id) => !context.isCheck(id));
  if (unknown !== undefined)
    report('enforced_checks', `The check "${unknown.slice(0, 100)}" does not exist.`, 'invalid_choice');
  return problems;
}

function repositoryRules(s: ComponentSettings, report: Report): void {
  const linked = parseLink(s.repo) !== null;
  if (linked) {
    for (const [attr, value] of [
      ['push', s.push],
      ['branch', s.branch],
      ['push_branch', s.pushBranch],
    ] as const) {
      if (value) report(attr, 'The owner of the shared repository determines this setting.');
    }
  } else if (s.vcs === 'local') {
    if (s.repo !== LOCAL_REPOSITORY)
      report('repo', `The address of a component without a remote must be ${LOCAL_REPOSITORY}`);
    if (s.push) report('push', 'A component without a remote cannot push.');
    if (s.pushBranch) report('push_branch', 'A component without a remote cannot push.');
  } else if (s.repo.startsWith(LOCAL_REPOSITORY)) {
    report('repo', `${LOCAL_REPOSITORY} requires vcs local.`);
  } else {
    const problem = s.repo && addressProblem(s.repo);
    if (problem) report('repo', problem);
    const pushProblem =
      s.push && (parseLink(s.push) ? 'An internal address cannot be a push address.' : addressProblem(s.push));
    if (pushProblem) report('push', pushProblem);
  }
  for (const [attr, value] of [
    ['branch', s.branch],
    ['push_branch', s.pushBranch],
  ] as const) {
    const problem = value && branchProblem(value);
    if (problem) report(attr, problem);
  }
  if (s.repoweb) {
    const problem = /^https?:\/\//i.test(s.repoweb)
      ? templateProblem(s.repoweb, repoWebVariables)
      : 'A web address is required.';
    if (problem) report('repoweb', problem);
  }
}

/** Rules of paths and of the expressions that select files and keys. */
function fileRules(s: ComponentSettings, report: Report): void {
  const paths = {
    filemask: maskProblem,
    screenshot_filemask: maskProblem,
    template: pathProblem,
    intermediate: pathProblem,
    new_base: pathProblem,
  };
  const given = {
    filemask: s.filemask,
    screenshot_filemask: s.screenshotFilemask,
    template: s.template,
    intermediate: s.intermediate,
    new_base: s.newBase,
  };
  for (const attr of Object.keys(paths) as (keyof typeof paths)[]) {
    const problem = given[attr] && paths[attr](given[attr]);
    if (problem) report(attr, problem);
  }
  const regexes = { language_regex: s.languageRegex, key_filter: s.keyFilter, variant_regex: s.variantRegex };
  for (const [attr, text] of Object.entries(regexes)) {
    const problem = text && patternProblem(text);
    if (problem) report(attr, problem);
  }
  if (s.keyFilter && !s.template) report('key_filter', 'Only monolingual components support a key filter.');
  if (s.variantRegex && !patternProblem(s.variantRegex) && compilePattern(s.variantRegex).test('')) {
    report('variant_regex', 'The expression must not match an empty text.');
  }
  if (s.intermediate) {
    if (!s.template || !s.editTemplate) report('intermediate', 'An intermediate file requires an editable template.');
    else if (s.intermediate === s.template)
      report('intermediate', 'The intermediate file must differ from the template.');
  }
}

/** Rules of the file format and of the files that it requires. */
function formatRules(s: ComponentSettings, context: RuleContext, report: Report): void {
  const format = context.format(s.fileFormat);
  if (!format) {
    if (s.fileFormat)
      report('file_format', `"${s.fileFormat.slice(0, 100)}" is not one of the choices.`, 'invalid_choice');
    return;
  }
  if (format.kind === 'mono' && !s.template)
    report('template', 'This format requires a monolingual base file.', 'required');
  if (format.kind === 'bi' && s.template)
    report('template', 'This format is bilingual and does not support a monolingual base file.');
  if (s.template.endsWith('.pot') && s.filemask.endsWith('.po'))
    report('template', 'A .pot file cannot be the monolingual base file; use it as new_base.');
  if (s.template && s.editTemplate && !format.editBase)
    report('edit_template', 'The base file of this format cannot be edited.');
  const templateCode = s.template ? codeInPath(s.filemask, s.template) : null;
  const templateLanguage = templateCode && context.languageOf(templateCode);
  if (templateLanguage && templateLanguage !== context.sourceLanguage) {
    report(
      'template',
      `The base file is in the language ${templateLanguage}, but the source language is ${context.sourceLanguage}.`,
    );
  }
  const needsBase = !s.template && (!format.startsEmpty || format.needsBaseWhenBilingual);
  if (s.newLang === 'add' && !s.newBase && needsBase)
    report('new_base', 'Adding languages in this format requires a base file for new translations.', 'required');
  for (const problem of paramProblems(s.fileFormatParams, format)) report('file_format_params', problem);
}

function paramProblems(params: Readonly<Record<string, unknown>>, format: FormatRules): string[] {
  const strange = Object.keys(params).find((key) => !format.params.includes(key));
  if (strange !== undefined) return [`"${strange.slice(0, 100)}" is not a parameter of this format.`];
  return readRequest(formatParamSettings, params, 'update').problems.map((p) => `${p.attr}: ${p.detail}`);
}

function textRules(s: ComponentSettings, context: RuleContext, report: Report): void {
  const messages = {
    commit_message: s.commitMessage,
    add_message: s.addMessage,
    delete_message: s.deleteMessage,
    merge_message: s.mergeMessage,
    addon_message: s.addonMessage,
    pull_message: s.pullMessage,
  };
  for (const [attr, text] of Object.entries(messages)) {
    const problem = templateProblem(text, messageVariables);
    if (problem) report(attr, `The template is not valid: ${problem}`);
  }
  const flags = s.checkFlags && context.flagProblem(s.checkFlags);
  if (flags) report('check_flags', flags);
}
