import type { BackedUpDocument, ProjectRule, ProjectRules, RestoredIds } from '@parlance/store-kit';
import { entryHash } from '../../domain/memory/entry';
import { openTranslation } from '../indexes/search-index-store';
import { collectionOf } from '../collection';
import { freshMark } from '../memory-store';
import type { Models } from '../models';
import type { MemoryDocument } from '../schemas/memory';

const place = { translation: 'translation', component: 'node', project: 'project' } as const;
const ofProject = (project: number) => ({ project });

/** Documents that keep their ids and get new ones at these fields. */
const movedWith = (fields: Readonly<Record<string, string>>): ProjectRule['write'] => {
  return (document, ids) => {
    const moved = ids.moved(document, fields);
    return moved && { insert: moved };
  };
};

/** A history entry. It may name components and translations that were deleted before the backup. */
const restoredChange: ProjectRule['write'] = (document, ids) => {
  const moved = document['project'] === 0 ? undefined : ids.moved(document, { project: 'project' });
  if (!moved) return undefined;
  const { component, translation } = document;
  const change = {
    ...moved,
    component: ids.number('node', component) ?? component,
    translation: ids.number('translation', translation) ?? translation,
  };
  // The history of a deleted project stays in the store.
  return { replace: change, filter: { _id: document['_id'], time: document['time'] } };
};

const restoredMemory: ProjectRule['write'] = (document, ids) => {
  const project = ids.number('project', document['project']);
  if (project === undefined) return undefined;
  const { _id: _id, ...entry } = document as BackedUpDocument & MemoryDocument;
  const { user = 0, fromFile = false, shared = false } = entry;
  const hash = entryHash({ ...entry, project, user, fromFile, shared });
  return { insertMissing: { ...entry, project, hash, fresh: freshMark() } };
};

/** How a project is restored from a backup into this database. The decision: docs/adr/0048-restore-one-project-with-new-ids.md. */
export function projectRules(models: Models): ProjectRules {
  // The search index reads open translations as a whole: once before strings are stored, and again when all are.
  const openAll = async (ids: RestoredIds): Promise<void> => {
    for (const translation of ids.numbers('translation')) await openTranslation(models.searchOpen, { id: translation });
  };
  return {
    translations: {
      newIds: {
        kind: 'translation',
        sequence: 'translation',
        belongs: ({ component }, ids) => ids.has('node', component),
      },
      write: movedWith({ component: 'node', project: 'project' }),
      ofProject,
    },
    // A removed unit has a negative translation, which has no new id.
    units: { write: movedWith(place), ofProject, around: openAll },
    changes: { write: restoredChange },
    suggestions: { write: movedWith(place), ofProject },
    comments: { write: movedWith(place), ofProject },
    fonts: { write: movedWith({ project: 'project' }), ofProject },
    removals: { write: movedWith({ translation: 'translation', component: 'node' }) },
    memory: { ownIds: 'memory', write: restoredMemory },
    machinery: { write: movedWith({ _id: 'project' }) },
    fencingtokens: { write: movedWith({ _id: 'node' }) },
  };
}

export async function translationsOf(models: Models, project: number): Promise<number[]> {
  return (await collectionOf(models.translations).distinct('_id', { project })) as number[];
}

/** Users who are named in data of a project outside its history. */
export async function peopleOf(models: Models, project: number): Promise<number[]> {
  const [editors, suggesters, lastAuthors] = await Promise.all([
    collectionOf(models.units).distinct('edits.author.userId', { project, pending: true }),
    collectionOf(models.suggestions).distinct('author.userId', { project }),
    collectionOf(models.translations).distinct('counters.lastAuthorId', { project }),
  ]);
  return [...new Set([...editors, ...suggesters, ...lastAuthors] as number[])].filter((id) => id > 0);
}
