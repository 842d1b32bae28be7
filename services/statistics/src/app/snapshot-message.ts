import type { common, events } from '@parlance/contracts';
import { ADDED, columnOf, columnOfExtra, groups, type Counters, type Snapshot } from '../domain/counters';

/** Counters from an event. */
function countersFromMessage(translationId: number, message: common.Counters__Output | null): Counters {
  const added = new Array<number>(ADDED).fill(0);
  for (const group of groups) {
    const tally = message?.[group];
    const at = columnOf(group);
    added[at] = tally?.strings ?? 0;
    added[at + 1] = tally?.words ?? 0;
    added[at + 2] = tally?.chars ?? 0;
  }
  added[columnOfExtra('checks')] = message?.checks ?? 0;
  added[columnOfExtra('contentChanges')] = message?.contentChanges ?? 0;
  added[columnOfExtra('translationIds')] = translationId;
  return {
    added,
    lastChange: message?.lastChangeMs ?? 0,
    lastAuthor: message?.lastAuthor ?? '',
    lastAuthorId: message?.lastAuthorId ?? 0,
  };
}

/** Counters for a response. */
export function countersToMessage(counters: Counters): common.Counters {
  const n = counters.added;
  const message: common.Counters = {
    checks: n[columnOfExtra('checks')]!,
    contentChanges: n[columnOfExtra('contentChanges')]!,
    translationIds: n[columnOfExtra('translationIds')]!,
    lastChangeMs: counters.lastChange,
    lastAuthor: counters.lastAuthor,
    lastAuthorId: counters.lastAuthorId,
  };
  for (const group of groups) {
    const at = columnOf(group);
    message[group] = { strings: n[at]!, words: n[at + 1]!, chars: n[at + 2]! };
  }
  return message;
}

export function snapshotFromMessage(message: events.TranslationUpdated__Output): Snapshot {
  return {
    translationId: message.translationId,
    componentId: message.componentId,
    projectId: message.projectId,
    languageCode: message.languageCode,
    revision: message.revision,
    counters: countersFromMessage(message.translationId, message.counters),
  };
}
