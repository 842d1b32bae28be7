import { insertUnique } from '@parlance/store-kit';
import type { Removal } from '../domain/pending';
import type { RemovalStore } from '../domain/ports';
import type { Translation } from '../domain/translation';
import type { Author } from '../domain/unit';
import { collectionOf } from './collection';
import type { Models } from './models';

/** Removals to apply to a file. */
const TO_APPLY = { ofBase: { $exists: false } };

/** Deleted strings that their files still contain, in Mongo. */
export class MongoRemovalStore implements RemovalStore {
  constructor(private readonly model: Models['removals']) {}

  async add(removals: readonly Removal[]): Promise<void> {
    if (removals.length === 0) return;
    const documents = removals.map(({ id, ...rest }) => ({ _id: id, ...rest }));
    await insertUnique(collectionOf(this.model), documents);
  }

  async ofComponent(component: number): Promise<Removal[]> {
    const found = await collectionOf(this.model)
      .find({ component, ...TO_APPLY })
      .toArray();
    return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  async keysOf({ id, component }: Pick<Translation, 'id' | 'component'>): Promise<Set<string>> {
    const found = await collectionOf(this.model)
      .find({ component, translation: id }, { projection: { key: 1 } })
      .toArray();
    return new Set(found.map(({ key }) => key));
  }

  async anyOf(components: readonly number[]): Promise<boolean> {
    return (await collectionOf(this.model).findOne({ component: { $in: [...components] }, ...TO_APPLY })) !== null;
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await collectionOf(this.model).deleteMany({ _id: { $in: ids } });
  }

  async removeOfComponent(component: number): Promise<void> {
    await collectionOf(this.model).deleteMany({ component });
  }

  async renameAuthor(person: Author): Promise<void> {
    await collectionOf(this.model).updateMany({ 'author.userId': person.userId }, { $set: { author: person } });
  }
}
