import { CountedPages, isDuplicateKey } from '@parlance/store-kit';
import type { Comment, CommentStore, ContentGenerations, Page, Suggestion, SuggestionStore } from '../domain/ports';
import { collectionOf, type DriverCollection } from './collection';
import type { Models } from './models';
import { readPage } from './read-page';

type Stored<T> = Omit<T, 'id'> & { _id: number };

// The document of a remark has its fields, with another name of the id.
const toDocument = <T extends Suggestion | Comment>({ id, ...rest }: T): Stored<T> => ({ _id: id, ...rest });
const fromDocument = <T extends Suggestion | Comment>({ _id, ...rest }: Stored<T>): T =>
  ({ id: _id, ...rest }) as unknown as T;

/** Suggestions or comments in Mongo. */
class MongoRemarks<T extends Suggestion | Comment> {
  private readonly pages = new CountedPages();

  constructor(
    protected readonly collection: DriverCollection<Stored<T>>,
    protected readonly contents: ContentGenerations,
  ) {}

  async get(id: number): Promise<T | null> {
    const found = await this.collection.findOne({ _id: id });
    return found && fromDocument(found);
  }

  async older(component: number, before: number): Promise<T[]> {
    return (await this.collection.find({ component, time: { $lt: before } }).toArray()).map(fromDocument<T>);
  }

  async remove(remarks: readonly T[]): Promise<void> {
    await this.collection.deleteMany({ _id: { $in: remarks.map(({ id }) => id) } });
    await this.contents.changed(remarks);
  }

  async removeOfComponent(component: number): Promise<void> {
    await this.collection.deleteMany({ component });
  }

  protected async pageOf(filter: object, page: number, size: number): Promise<Page<T>> {
    const { items, total } = await readPage(this.pages, this.collection, filter, { page, size });
    return { items: items.map(fromDocument<T>), total };
  }
}

/** Suggestions in Mongo. */
export class MongoSuggestionStore extends MongoRemarks<Suggestion> implements SuggestionStore {
  constructor(model: Models['suggestions'], contents: ContentGenerations) {
    super(collectionOf(model), contents);
  }

  async insert(suggestion: Suggestion): Promise<boolean> {
    try {
      await this.collection.insertOne(toDocument(suggestion));
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
    await this.contents.changed([suggestion]);
    return true;
  }

  async insertMany(suggestions: readonly Suggestion[]): Promise<void> {
    if (suggestions.length === 0) return;
    await this.collection.insertMany(suggestions.map(toDocument));
    await this.contents.changed(suggestions);
  }

  async vote(id: number, user: number): Promise<Suggestion | null> {
    const after = await this.collection.findOneAndUpdate(
      { _id: id, votes: { $ne: user } },
      { $push: { votes: user } },
      { returnDocument: 'after' },
    );
    if (!after) return null;
    const suggestion = fromDocument<Suggestion>(after);
    await this.contents.changed([suggestion]);
    return suggestion;
  }

  async withdrawVote(suggestion: Suggestion, user: number): Promise<void> {
    await this.collection.updateOne({ _id: suggestion.id }, { $pull: { votes: user } });
    await this.contents.changed([suggestion]);
  }

  page(of: { unit: number } | { translation: number }, page: number, size: number): Promise<Page<Suggestion>> {
    return this.pageOf(of, page, size);
  }

  async forgetAuthor(user: number): Promise<void> {
    await this.collection.updateMany({ 'author.userId': user }, { $unset: { author: '' } });
  }

  async ofUnits(units: readonly number[]): Promise<Suggestion[]> {
    if (units.length === 0) return [];
    const found = await this.collection
      .find({ unit: { $in: [...units] } })
      .sort({ _id: 1 })
      .toArray();
    return found.map(fromDocument<Suggestion>);
  }

  countNewer(unit: number, since: number): Promise<number> {
    return this.collection.countDocuments({ unit, time: { $gte: since } });
  }
}

/** Comments in Mongo. */
export class MongoCommentStore extends MongoRemarks<Comment> implements CommentStore {
  constructor(model: Models['comments'], contents: ContentGenerations) {
    super(collectionOf(model), contents);
  }

  /** Counts unresolved comments. */
  countNewer(unit: number, since: number): Promise<number> {
    return this.collection.countDocuments({ unit, time: { $gte: since }, resolved: { $ne: true } });
  }

  page(units: readonly number[], page: number, size: number): Promise<Page<Comment>> {
    return this.pageOf({ unit: { $in: [...units] } }, page, size);
  }

  async update(comment: Comment, change: Partial<Pick<Comment, 'text' | 'resolved'>>): Promise<void> {
    await this.collection.updateOne({ _id: comment.id }, { $set: change });
    await this.contents.changed([comment]);
  }

  async insert(comment: Comment): Promise<void> {
    await this.collection.insertOne(toDocument(comment));
    await this.contents.changed([comment]);
  }
}
