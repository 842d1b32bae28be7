import type { Edit, TextDocument } from '../core/document';
import { firstOf, YamlItem } from './items';
import type { Container, YamlNode } from './node';

/** Removes items and the containers that become empty, except the container of `keep` and its ancestors. */
export function removeItems(
  document: TextDocument,
  root: YamlNode | undefined,
  items: readonly YamlItem[],
  keep: YamlItem | undefined,
): Edit[] {
  const byContainer = new Map<Container, Map<number, YamlItem>>();
  const queue = [...items];
  const emptied: YamlItem[] = [];
  for (let item = queue.pop(); item; item = queue.pop()) {
    const set = byContainer.get(item.container) ?? new Map<number, YamlItem>();
    byContainer.set(item.container, set.set(item.index, item));
    if (set.size < item.container.items.length) continue;
    if (item.parent && item.parent.container !== keep?.container) queue.push(item.parent);
    else emptied.push(item);
  }
  const whole = emptied.map(({ container }): Edit => {
    const { start, end } = container;
    const feed = document.text[end - 1] === '\n' ? document.eol : '';
    const inline = document.lineStart(start) === start && keep ? ' ' : '';
    if (!keep || !document.startsLine(start)) return { start, end, text: `{}${feed}` };
    const colon = document.text.lastIndexOf(':', start) + 1;
    return { start: colon, end, text: `${inline || ' '}{}${feed}` };
  });
  const inside = (edit: Edit): boolean => whole.some((outer) => outer.start <= edit.start && edit.end <= outer.end);
  const edits = [...byContainer].flatMap(([container, set]) =>
    set.size === container.items.length && (container !== root || emptied.length > 0)
      ? []
      : removeFrom(document, container, set),
  );
  return [...outermost(edits.filter((edit) => !inside(edit))), ...whole];
}

function removeFrom(document: TextDocument, container: Container, removed: ReadonlyMap<number, YamlItem>): Edit[] {
  if (container.flow) return removeFromFlow(container, removed);
  return [...removed.values()].map((item) => {
    const lineStart = document.lineStart(item.start);
    const before = document.text.slice(lineStart, item.start);
    const end = document.text[item.end - 1] === '\n' ? item.end : document.lineEnd(item.end);
    if (before.trim() === '' || (container.kind === 'seq' && /^[ ]*-[ ]+$/.test(before)))
      return { start: lineStart, end, text: '' };
    // The first pair of a map that starts after a dash shares the line of the dash.
    const next = firstOf(container, item.index + 1);
    return { start: item.start, end: next ? next.start : end, text: '' };
  });
}

function removeFromFlow(container: Container, removed: ReadonlyMap<number, YamlItem>): Edit[] {
  const count = container.items.length;
  let end = count;
  while (end > 0 && removed.has(end - 1)) end -= 1;
  const item = (index: number): YamlItem => new YamlItem(container, index, undefined);
  const edits: Edit[] = [];
  for (let i = 0; i < end; i++)
    if (removed.has(i)) edits.push({ start: item(i).start, end: item(i + 1).start, text: '' });
  if (end < count && end > 0) edits.push({ start: item(end - 1).end, end: item(count - 1).end, text: '' });
  return edits;
}

function outermost(edits: readonly Edit[]): Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Edit[] = [];
  for (const edit of sorted) {
    const last = kept.at(-1);
    if (!last || edit.start >= last.end) kept.push(edit);
  }
  return kept;
}
