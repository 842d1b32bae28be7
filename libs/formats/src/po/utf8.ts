import type { TextDocument } from '../core/document';
import type { Change } from '../format';
import { namedCharset } from './header';

/** Whether a file's charset can encode all texts of the changes. */
export function canEncodeAll(
  document: Pick<TextDocument, 'charset' | 'canEncode'>,
  changes: readonly Change[],
): boolean {
  return document.charset === 'utf-8' || changes.every((change) => textsOf(change).every((t) => document.canEncode(t)));
}

function textsOf(change: Change): readonly string[] {
  if (change.op === 'remove') return [];
  if (change.op === 'header') return Object.values(change.fields);
  if (change.op === 'set') return change.target;
  const { context, source, target, note = '', location = '', flags = [] } = change;
  return [context, note, location, ...source, ...target, ...flags];
}

/** Converts a gettext file to UTF-8 and updates the charset in its header. */
export function inUtf8({ text, fileEol }: TextDocument): Buffer {
  const named = text.replace(namedCharset, (found, charset: string) => `${found.slice(0, -charset.length)}UTF-8`);
  return Buffer.from(fileEol === '\r' ? named.replaceAll('\n', '\r') : named, 'utf8');
}
