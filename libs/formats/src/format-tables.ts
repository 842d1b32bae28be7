import { converters } from './convert/convert';
import { registry } from './registry';

const KINDS = { mono: 'monolingual', bi: 'bilingual', both: 'both' } as const;

/** The tables of docs/formats.md. */
export function formatTables(): string {
  const yes = (value: boolean): string => (value ? 'yes' : '');
  const rows = registry.map(({ id, label, kind, autoDetect, extension, can, newFile, params }) => {
    const cells = [`\`${id}\``, label, KINDS[kind], autoDetect.map((pattern) => `\`${pattern}\``).join(' '), extension];
    const abilities = [can.addUnit, can.removeUnit, can.editBase, can.plurals].map(yes);
    return `| ${[...cells, ...abilities, newFile, params.map((name) => `\`${name}\``).join(' ')].join(' | ')} |`;
  });
  const downloads = converters.map(
    ({ id, extension, mediaType, available, plurals }) =>
      `| \`${id}\` | ${extension} | ${mediaType} | ${available} | ${plurals} |`,
  );
  return [
    '| id | format | kind | guessed from | new files | add | remove | edit base | plurals | starts from | parameters |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    '### Downloads (`convert`)',
    '',
    '| id | extension | media type | available | plural forms |',
    '|---|---|---|---|---|',
    ...downloads,
  ].join('\n');
}
