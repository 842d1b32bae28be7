import { z } from 'zod';
import { everywhere, hookSettings, simple, type AddonDefinition } from './definition';
import * as field from '../field';

/** Add-ons that create components, languages and commits, or notify other systems. */
export const structureAddons: readonly AddonDefinition[] = [
  simple(
    'weblate.consistency.languages',
    'Add missing languages',
    'Adds languages so that all components of a project have the same languages.',
    ['install', 'daily', 'language'],
  ),
  {
    name: 'weblate.discovery.discovery',
    title: 'Component discovery',
    doc: 'Creates components for files in the repository.',
    events: ['install', 'update'],
    multiple: true,
    scopes: ['component'],
    repositoryWide: true,
    fits: { ownRepository: true },
    settings: z.object({
      match: field.line('Regular expression for paths, with the named groups component and language.', {
        filled: true,
        maxLength: 1_000,
        shape: 'path-pattern',
      }),
      file_format: field.line('Format of the files.', { filled: true, maxLength: 50, vocabulary: 'file-format' }),
      name_template: field.line('Template of component names, with {{ component }}.', {
        filled: true,
        maxLength: 200,
        shape: 'message',
        variables: ['component'],
      }),
      base_file_template: field
        .line('Template of the path of the monolingual base file.', {
          maxLength: 400,
          shape: 'path-template',
          variables: ['component'],
        })
        .default(''),
      new_base_template: field
        .line('Template of the path of the file for new translations (new_base).', {
          maxLength: 400,
          shape: 'path-template',
          variables: ['component'],
        })
        .default(''),
      intermediate_template: field
        .line('Template of the path of the intermediate file.', {
          maxLength: 400,
          shape: 'path-template',
          variables: ['component'],
        })
        .default(''),
      language_regex: field.line('Regular expression for accepted language codes.', {
        filled: true,
        maxLength: 500,
        shape: 'regex',
      }),
      copy_addons: field.boolean('Copies the add-ons of this component to new components.').default(true),
      remove: field.boolean('Removes components whose files no longer exist.').default(false),
      confirm: field.boolean('Confirms that the matches are correct.').default(false),
    }),
  },
  {
    name: 'weblate.git.squash',
    title: 'Squash commits',
    doc: 'Squashes commits before they are pushed.',
    events: ['push'],
    multiple: false,
    scopes: everywhere,
    repositoryWide: true,
    fits: { versionControls: ['git', 'git-force-push', 'local'], ownRepository: true },
    settings: z.object({
      squash: field.choice('Which commits are squashed: all, or those of the same language, file or author.', [
        'all',
        'language',
        'file',
        'author',
      ]),
      append_trailers: field.boolean('Keeps the trailers of the squashed commits.').default(true),
      commit_message: field
        .text('Commit message; empty: the messages of the squashed commits.', { maxLength: 5_000 })
        .default(''),
    }),
  },
  {
    name: 'weblate.webhook.webhook',
    title: 'Webhook',
    doc: 'Sends changes to an address as JSON, with the headers of Standard Webhooks.',
    events: ['change'],
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: hookSettings.extend({
      secret: field
        .line('Secret for the signature.', {
          maxLength: 200,
          access: 'write-only',
          secret: { sentTo: ['webhook_url'] },
        })
        .default(''),
    }),
  },
  {
    name: 'weblate.webhook.slack',
    title: 'Slack',
    doc: 'Sends changes to a Slack channel.',
    events: ['change'],
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: hookSettings,
  },
];
