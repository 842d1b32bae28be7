import type { FormatUnit } from '@parlance/formats';
import { eachInSlices, mapInSlices } from '@parlance/workload';
import type { Component } from '../../domain/component';
import { idHash, State } from '../../domain/unit';
import type { ParsedFile } from '../files/parsed-file';
import type { FileEntry } from './file-entry';
import type { KeyFilter } from './key-filter';

const states: Record<FormatUnit['state'], number> = {
  empty: State.empty,
  fuzzy: State.fuzzy,
  translated: State.translated,
  approved: State.approved,
  readonly: State.readonly,
};

/**
 * The entries of a file that pass the component's `key_filter`. Of entries with the same key, the first is kept.
 * @throws KeyFilterError
 */
export async function readEntries(component: Component, file: ParsedFile, filter: KeyFilter): Promise<FileEntry[]> {
  const monolingual = component.template !== '';
  const seen = new Set<string>();
  const entries: FileEntry[] = [];
  const addEntry = (unit: FormatUnit): void => {
    const source = monolingual ? [] : [...unit.source];
    const key = idHash(monolingual, unit.context, source);
    if (seen.has(key)) return;
    seen.add(key);
    let state = states[unit.state];
    if (state === State.approved && !component.translationReview) state = State.translated;
    entries.push({
      key,
      context: unit.context,
      source,
      target: [...unit.target],
      state,
      note: unit.note,
      location: unit.location,
      flags: unit.flags.join(', '),
      previousSource: unit.previousSource ? [unit.previousSource] : [],
    });
  };
  const expression = monolingual ? component.keyFilter : '';
  const acceptedKeys = expression === '' ? null : await keysMatching(file, filter, expression);
  for await (const units of file.batches())
    await eachInSlices(units, (unit) => (acceptedKeys?.has(unit.context) ?? true) && addEntry(unit));
  return entries;
}

/** The keys of a file that the filter matches. @throws KeyFilterError */
async function keysMatching(file: ParsedFile, filter: KeyFilter, expression: string): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const units of file.batches()) for (const { context } of units) keys.add(context);
  const acceptedKeys = await filter.keep(await mapInSlices(keys, (context) => ({ context })), expression);
  return new Set(acceptedKeys.map(({ context }) => context));
}
