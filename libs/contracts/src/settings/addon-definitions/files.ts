import { z } from 'zod';
import { everywhere, JAVA, JSON_LIKE, simple, type AddonDefinition } from './definition';
import * as field from '../field';

/** Add-ons that work on files of several formats. */
export const filesAddons: readonly AddonDefinition[] = [
  {
    name: 'weblate.cdn.cdnjs',
    title: 'Translations for web pages',
    doc: 'Publishes translations for use in web pages.',
    unavailable: 'This site has no place where translations are published for web pages.',
    events: ['daily'],
    multiple: false,
    scopes: everywhere,
    fits: { monolingualOr: [] },
    settings: z.object({
      threshold: field.integer('Minimum percentage of translated strings for a language to be published.', {
        min: 0,
        max: 100,
      }),
      css_selector: field.line('CSS selector of the elements to translate.', { filled: true, maxLength: 500 }),
      cookie_name: field.line('Cookie with the language code.', { maxLength: 100 }).default(''),
      files: field.text('Pages to extract strings from, one per line.', { maxLength: 10_000 }).default(''),
    }),
  },
  simple(
    'weblate.cleanup.blank',
    'Remove blank strings',
    'Removes strings without a translation from translation files.',
    ['install', 'update', 'commit'],
  ),
  simple(
    'weblate.cleanup.generic',
    'Clean up translation files',
    'Removes strings that are missing in the base file from translation files.',
    ['install', 'update'],
    { monolingualOr: ['po'] },
  ),
  {
    name: 'weblate.generate.generate',
    title: 'Statistics file',
    doc: 'Generates a file from a template with every commit.',
    events: ['install', 'commit'],
    multiple: true,
    scopes: everywhere,
    fits: {},
    settings: z.object({
      filename: field.line('Path of the generated file; a template.', {
        filled: true,
        maxLength: 400,
        shape: 'path-template',
      }),
      template: field.text('Content of the generated file; a template.', {
        filled: true,
        maxLength: 100_000,
        shape: 'message',
      }),
    }),
  },
  {
    name: 'weblate.properties.sort',
    title: 'Sort properties',
    doc: 'Sorts the keys of Java properties files.',
    events: ['commit'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: JAVA },
    settings: z.object({
      case_sensitive: field.boolean('Upper case letters sort before lower case letters.').default(false),
    }),
  },
  simple(
    'weblate.resx.update',
    'Update RESX files',
    'Updates RESX files from their base file after repository updates.',
    ['install', 'update'],
    { formats: ['resx'] },
  ),
  {
    name: 'weblate.json.customize',
    title: 'Layout of JSON files',
    doc: 'Sets the layout of JSON files.',
    events: ['commit'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: JSON_LIKE },
    settings: z.object({
      sort_keys: field.boolean('Sorts keys alphabetically.').default(false),
      indent: field.integer('Indentation width.', { min: 0, max: 32 }).default(4),
      style: field.choice('Indentation characters.', ['spaces', 'tabs']).default('spaces'),
    }),
  },
  {
    name: 'weblate.yaml.customize',
    title: 'Layout of YAML files',
    doc: 'Sets the layout of YAML files.',
    events: ['commit'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: ['yaml', 'ruby-yaml'] },
    settings: z.object({
      indent: field.integer('Indentation width.', { min: 1, max: 10 }).default(2),
      width: field
        .integerChoice('Column at which lines are wrapped; 65535: no wrapping.', [80, 100, 120, 180, 65535])
        .default(80),
      line_break: field.choice('Line ends.', ['dos', 'unix', 'mac']).default('unix'),
    }),
  },
  {
    name: 'weblate.xml.customize',
    title: 'Layout of XML files',
    doc: 'Sets the layout of XML files.',
    events: ['commit'],
    multiple: false,
    scopes: everywhere,
    fits: { formats: ['ts', 'plainxliff', 'xliff', 'poxliff', 'resx', 'aresource', 'moko-resource', 'cmp-resource'] },
    settings: z.object({
      closing_tags: field.boolean('Writes empty elements with a closing tag.').default(false),
    }),
  },
];
