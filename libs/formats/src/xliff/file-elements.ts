import { createHash } from 'node:crypto';
import { FormatError, type AddChange } from '../format';
import type { XmlBase } from '../xml/reader';
import { descendants, elements, type XmlElement } from '../xml/tree';

/** Separator of the name of a `<file>` and the key of a string, in documents with several. */
const BETWEEN = '///';

/** A new string with its destination. */
export interface NewString {
  change: AddChange;
  /** The name of its `<file>`, which is created if `file` is undefined. */
  name: string;
  file: XmlElement | undefined;
  /** Its key within the `<file>`. */
  id: string;
}

/** Key prefix of the strings in a `<file>` element. */
export function prefixOf(files: readonly XmlElement[], file: XmlElement, attribute: string): string {
  return files.length > 1 ? (file.attributes[attribute] ?? '') + BETWEEN : '';
}

/**
 * Finds the `<file>` that a key names. Keys of documents with one `<file>` have no prefix.
 * @param unit name of the elements that hold strings
 * @throws FormatError `invalid-change` if the string would be read back under another key
 */
export function toNewString(root: XmlElement, change: AddChange, attribute: string, unit: string): NewString {
  const files = elements(root, 'file');
  const last = files.at(-1);
  const { context } = change;
  if (context === '') return { change, name: '', file: last, id: generatedId(change.source) };
  const isBlank = descendants(root, unit).next().done === true;
  if (files.length < 2 && !(isBlank && context.includes(BETWEEN))) return { change, name: '', file: last, id: context };
  const known = files
    .filter((file) => context.startsWith((file.attributes[attribute] ?? '') + BETWEEN))
    .sort((one, other) => (one.attributes[attribute] ?? '').length - (other.attributes[attribute] ?? '').length)
    .at(-1);
  const cut = known ? (known.attributes[attribute] ?? '').length : context.indexOf(BETWEEN);
  const id = context.slice(cut + BETWEEN.length);
  if (cut < 0 || id === '')
    throw new FormatError(
      'invalid-change',
      `the document has several files: a new key begins with the name of one and ${BETWEEN}`,
    );
  return { change, name: context.slice(0, cut), file: known, id };
}

/** Groups new strings by `<file>`. */
export function byFile(added: readonly NewString[]): NewString[][] {
  const groups = new Map<XmlElement | string, NewString[]>();
  for (const one of added) {
    const key = one.file ?? one.name;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

/** The base's `<file>` of new strings with a common destination. */
export function fileOfBase(base: XmlBase | undefined, [first]: readonly NewString[]): XmlElement | undefined {
  const owner = first && base?.entryOf(first.change)?.owners[0];
  if (owner?.kind !== 'element') return undefined;
  for (let up: XmlElement | undefined = owner; up; up = up.parent) if (up.local === 'file') return up;
  return undefined;
}

/** A stable id for a string without a key. */
export function generatedId(source: readonly string[]): string {
  return createHash('sha256').update(source.join('\0')).digest('hex').slice(0, 16);
}

/** Whether an id was generated for a string without a key. It is not read as a key. */
export function isGeneratedId(id: string, source: readonly string[]): boolean {
  return /^[0-9a-f]{16}$/.test(id) && id === generatedId(source);
}
