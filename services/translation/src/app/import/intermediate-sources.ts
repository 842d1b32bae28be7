import { isBlank, State } from '../../domain/unit';
import type { FileEntry } from './file-entry';

/**
 * The source strings of a component with an intermediate file: the strings of the intermediate file in its order, with the texts of the
 * base file as targets. Strings that only the base file contains follow.
 */
export function mergeIntermediate(drafts: readonly FileEntry[], base: readonly FileEntry[]): FileEntry[] {
  const baseEntries = new Map(base.map((entry) => [entry.key, entry]));
  const withState = (entry: FileEntry): FileEntry => ({
    ...entry,
    state: isBlank(entry.target) ? State.empty : entry.state === State.fuzzy ? State.fuzzy : State.translated,
  });
  const draftKeys = new Set(drafts.map((draft) => draft.key));
  return [
    ...drafts.map((draft) => {
      const text = baseEntries.get(draft.key);
      const blank = new Array<string>(draft.target.length).fill('');
      return withState({ ...draft, ...text, source: draft.target, target: text?.target ?? blank });
    }),
    ...base.filter((entry) => !draftKeys.has(entry.key)).map((entry) => withState({ ...entry, source: entry.target })),
  ];
}
