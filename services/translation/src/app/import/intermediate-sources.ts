import { isBlank, State } from '../../domain/unit';
import type { FileEntry } from './file-entry';

/**
 * The source strings of a component with an intermediate file: its strings in its order, with the base file's texts in the source
 * language. What only the base file has stays.
 */
export function polished(drafts: readonly FileEntry[], own: readonly FileEntry[]): FileEntry[] {
  const texts = new Map(own.map((entry) => [entry.key, entry]));
  const withState = (entry: FileEntry): FileEntry => ({
    ...entry,
    state: isBlank(entry.target) ? State.empty : entry.state === State.fuzzy ? State.fuzzy : State.translated,
  });
  const known = new Set(drafts.map((draft) => draft.key));
  return [
    ...drafts.map((draft) => {
      const text = texts.get(draft.key);
      const blank = new Array<string>(draft.target.length).fill('');
      return withState({ ...draft, ...text, source: draft.target, target: text?.target ?? blank });
    }),
    ...own.filter((entry) => !known.has(entry.key)).map((entry) => withState({ ...entry, source: entry.target })),
  ];
}
