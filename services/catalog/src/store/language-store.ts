import { createHash } from 'node:crypto';
import { LANGUAGES } from '@parlance/plurals';
import { driverCollection, type IdSequences, insertUnique } from '@parlance/store-kit';
import type { Language } from '../domain/objects';
import type { LanguageStore } from '../domain/ports';
import type { LanguageDocument, Models } from './models';
import { removedName, translatingDuplicates, writeStamp } from './store-writes';

function fromDocument({
  _id,
  own: _own,
  removed: _removed,
  updatedMs: _updatedMs,
  stamp: _stamp,
  ...rest
}: LanguageDocument): Language {
  return { id: _id, ...rest };
}

/** Languages in MongoDB. */
export class MongoLanguageStore implements LanguageStore {
  constructor(private readonly model: Models['languages']) {}

  async get(code: string): Promise<Language | null> {
    const d = await this.model.findOne({ code, removed: false }).lean<LanguageDocument>();
    return d && fromDocument(d);
  }

  async insert({ id, ...rest }: Language): Promise<void> {
    await translatingDuplicates(['code'], () =>
      driverCollection<LanguageDocument>(this.model).insertOne({
        _id: id,
        ...rest,
        ...writeStamp(),
        removed: false,
        own: true,
      }),
    );
  }

  async replace({ id, ...rest }: Language): Promise<boolean> {
    const result = await translatingDuplicates(['code'], () =>
      driverCollection<LanguageDocument>(this.model).updateOne(
        { _id: id, version: rest.version - 1, removed: false },
        { $set: { ...rest, ...writeStamp(), own: true } },
      ),
    );
    return result.matchedCount === 1;
  }

  async remove(code: string): Promise<boolean> {
    const stored = await this.get(code);
    if (!stored) return false;
    const result = await driverCollection<LanguageDocument>(this.model).updateOne(
      { _id: stored.id, removed: false },
      { $set: { ...writeStamp(), removed: true, code: removedName(stored.id) } },
    );
    return result.matchedCount === 1;
  }
}

/**
 * Inserts the predefined languages and updates those that were never edited. Idempotent; has
 * no effect if the table is unchanged.
 */
export async function seedLanguages(models: Models, ids: IdSequences): Promise<void> {
  const digest = createHash('sha256').update(JSON.stringify(LANGUAGES)).digest('hex');
  const done = await models.counters.findOne({ _id: 'predefined-languages' }).lean();
  if (done?.mark === digest) return;
  const stored = await models.languages.find().lean<LanguageDocument[]>();
  const byCode = new Map(stored.map((d) => [d.code, d]));
  const missing = LANGUAGES.filter((l) => !byCode.has(l.code));
  if (missing.length > 0) {
    const free = await ids.range('language', missing.length);
    const documents = missing.map((l, i) => ({
      _id: free[i]!,
      ...valuesOf(l, free[i]!),
      ...writeStamp(),
      version: 1,
      own: false,
      removed: false,
    }));
    // Another process may seed concurrently.
    await insertUnique(driverCollection<LanguageDocument>(models.languages), documents);
  }
  const changed = LANGUAGES.flatMap((l) => {
    const d = byCode.get(l.code);
    if (!d || d.own) return [];
    const { _id, version, own: _own, removed: _removed, updatedMs: _updatedMs, stamp: _stamp, ...values } = d;
    const wanted = valuesOf(l, _id);
    return JSON.stringify(wanted) === JSON.stringify(values)
      ? []
      : [
          {
            updateOne: {
              filter: { _id, version },
              update: { $set: { ...wanted, ...writeStamp() }, $inc: { version: 1 } },
            },
          },
        ];
  });
  if (changed.length > 0) await driverCollection<LanguageDocument>(models.languages).bulkWrite(changed);
  await models.counters.updateOne({ _id: 'predefined-languages' }, { $set: { mark: digest } }, { upsert: true });
}

function valuesOf(l: (typeof LANGUAGES)[number], id: number): Omit<Language, 'id' | 'version'> {
  return {
    code: l.code,
    name: l.name,
    direction: l.direction,
    population: l.population,
    aliases: [...l.aliases],
    plural: { id, source: l.plural.source, number: l.plural.number, formula: l.plural.formula, type: l.plural.type },
  };
}
