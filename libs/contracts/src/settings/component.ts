import { z } from 'zod';
import { LANGUAGE_CODE_STYLES } from '@parlance/plurals';
import { colors, licences, versionControls } from './choices';
import { defaultMessages } from './message-template';
import * as field from './field';

/** Settings of a component. */
export const componentSettings = z.object({
  name: field.line('Name, unique among the components and categories of its level.', { filled: true, maxLength: 100 }),
  slug: field.line(
    'Part of URLs, unique among the components and categories of its level; a single dash is not allowed.',
    { filled: true, maxLength: 100, shape: 'slug' },
  ),
  source_language: field.language('Code of the source language; cannot be changed later.').default('en'),
  category: field.relation('URL of the category of the component; null: none.').nullable().default(null),
  vcs: field
    .choice('Type of repository: git, git-force-push (pushes with force) or local (no remote).', versionControls)
    .default('git'),
  repo: field.line('URL of the repository; parlance://project/component uses the repository of another component.', {
    filled: true,
    maxLength: 300,
  }),
  push: field.line('URL to push to; empty: pushing is disabled.', { maxLength: 300 }).default(''),
  branch: field
    .line('Branch to translate; empty: the default branch of the repository.', { maxLength: 200 })
    .default(''),
  push_branch: field
    .line('Branch to push to; empty: the branch of the setting branch.', { maxLength: 200 })
    .default(''),
  repoweb: field
    .line('URL template of a file in a repository browser, with {{branch}}, {{filename}} and {{line}}.', {
      maxLength: 200,
    })
    .default(''),
  merge_style: field
    .choice('How local commits are combined with upstream commits.', ['merge', 'rebase', 'merge_noff'])
    .default('rebase'),
  push_on_commit: field.boolean('Pushes commits immediately.').default(true),
  commit_pending_age: field
    .integer('Hours after which pending edits are committed.', { min: 0, max: 2160 })
    .default(24),
  filemask: field.line('Path of the translation files with * in place of the language code.', {
    filled: true,
    maxLength: 400,
    shape: 'mask',
  }),
  screenshot_filemask: field
    .line('Path of screenshots in the repository, with * as wildcard.', { maxLength: 400, shape: 'mask' })
    .default(''),
  template: field
    .line('Monolingual base file; empty for bilingual formats.', { maxLength: 400, shape: 'path' })
    .default(''),
  edit_template: field.boolean('Allows edits of the base file. Default: true if the format supports it.').optional(),
  intermediate: field
    .line('File with the developers’ wording of the source language; requires template and edit_template.', {
      maxLength: 400,
      shape: 'path',
    })
    .default(''),
  new_base: field.line('Template file for new translations.', { maxLength: 400, shape: 'path' }).default(''),
  file_format: field.line('Format of the files.', { filled: true, maxLength: 50, vocabulary: 'file-format' }),
  file_format_params: field.object('Format-specific options for writing files.').default({}),
  new_lang: field
    .choice('How requests for a new language are handled; url requires instructions of the project.', [
      'contact',
      'url',
      'add',
      'none',
    ])
    .default('add'),
  language_code_style: field
    .choice('Style of language codes in file names; empty: the default of the format.', LANGUAGE_CODE_STYLES)
    .default(''),
  language_regex: field
    .line('Regular expression for accepted language codes in file names.', {
      filled: true,
      maxLength: 500,
      shape: 'regex',
    })
    .default('^[^.]+$'),
  key_filter: field
    .line('Regular expression for imported keys; monolingual files only.', { maxLength: 500, shape: 'regex' })
    .default(''),
  variant_regex: field
    .line('Regular expression for the part of a key that distinguishes variants; must not match an empty string.', {
      maxLength: 190,
      shape: 'regex',
    })
    .default(''),
  license: field.choice('SPDX id of the licence, or proprietary.', ['', ...licences]).default(''),
  agreement: field.text('Agreement that contributors must accept.', { maxLength: 100_000 }).default(''),
  check_flags: field
    .text('Flags that apply to all strings of the component.', { maxLength: 10_000, shape: 'flags' })
    .default(''),
  enforced_checks: field
    .list('Ids of checks whose failure marks a string as needing editing.', { maxItems: 200, vocabulary: 'check' })
    .default([]),
  priority: field
    .integerChoice('60 very high, 80 high, 100 medium, 120 low, 140 very low.', [60, 80, 100, 120, 140])
    .default(100),
  restricted: field.boolean('Hides the component from teams that do not list it.').default(false),
  report_source_bugs: field
    .line('Email address for reports about source strings.', { maxLength: 190, shape: 'email' })
    .default(''),
  allow_translation_propagation: field
    .boolean('Propagates translations to equal strings of the project’s other components.')
    .default(true),
  manage_units: field
    .boolean('Allows adding and removing strings. Default: true for components with a template.')
    .optional(),
  enable_suggestions: field.boolean('Allows suggestions.').default(true),
  suggestion_voting: field.boolean('Enables voting on suggestions.').default(false),
  suggestion_autoaccept: field
    .integer(
      'Number of votes that accepts a suggestion; 0: never. 1 is not allowed; other values require suggestion_voting.',
      { min: 0, max: 32_767 },
    )
    .default(0),
  auto_lock_error: field
    .boolean('Locks the component when an operation on its repository or files fails.')
    .default(true),
  commit_message: field
    .text('Message template of commits with translations.', { filled: true, maxLength: 5_000, shape: 'message' })
    .default(defaultMessages.commit_message),
  add_message: field
    .text('Message template of commits that add a language.', { filled: true, maxLength: 5_000, shape: 'message' })
    .default(defaultMessages.add_message),
  delete_message: field
    .text('Message template of commits that remove a language.', { filled: true, maxLength: 5_000, shape: 'message' })
    .default(defaultMessages.delete_message),
  merge_message: field
    .text('Message template of merge commits.', { filled: true, maxLength: 5_000, shape: 'message' })
    .default(defaultMessages.merge_message),
  addon_message: field
    .text('Message template of commits by add-ons.', { filled: true, maxLength: 5_000, shape: 'message' })
    .default(defaultMessages.addon_message),
  pull_message: field
    .text('Template of pull request descriptions.', { filled: true, maxLength: 5_000, shape: 'message' })
    .default(defaultMessages.pull_message),
  is_glossary: field.boolean('The component is a glossary.').default(false),
  glossary_color: field.choice('Colour of the glossary.', colors).default('silver'),
  secondary_language: field
    .id('Id of a language to show beside the source language; null: the setting of the project.')
    .nullable()
    .default(null),
  disable_autoshare: field
    .boolean('On creation: clones the repository even if another component of the project uses the same one.', {
      access: 'write-only',
    })
    .default(false),
});

/** Settings of a component that is created from an uploaded archive or document, which takes the place of the repository. */
export const componentFromFile = {
  zipfile: componentSettings.partial({ repo: true }),
  docfile: componentSettings.partial({ repo: true, filemask: true }),
};
