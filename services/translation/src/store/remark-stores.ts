import { CountedPages, isDuplicateKey, retried } from '@parlance/store-kit';
import type { Comment, CommentStore, ContentGenerations, Page, Suggestion, SuggestionStore } from '../domain/ports';
import { collectionOf } from './collection';
import type { Models } from './models';
import { readPage } from './read-page';

/** Suggestions in Mongo. */
export class MongoSuggestionStore implements SuggestionStore {
  private readonly pages = new CountedPages();

  constructor(
    private readonly model: Models['suggestions'],
    private readonly contents: ContentGenerations,
  ) {}

  async insert({ id, ...rest }: Suggestion): Promise<boolean> {
    try {
      await collectionOf(this.model).insertOne({ _id: id, ...rest });
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
    await this.contents.changed([rest]);
    return true;
  }

  async insertMany(suggestions: readonly Suggestion[]): Promise<void> {
    if (suggestions.length === 0) return;
    const documents = suggestions.map(({ id, ...rest }) => ({ _id: id, ...rest }));
    await collectionOf(this.model).insertMany(documents);
    await this.contents.changed(suggestions);
  }

  async vote(id: number, user: number): Promise<Suggestion | null> {
    const after = await retried(() =>
      collectionOf(this.model).findOneAndUpdate(
        { _id: id, votes: { $ne: user } },
        { $push: { votes: user } },
        { returnDocument: 'after' },
      ),
    );
    if (!after) return null;
    const { _id, ...rest } = after;
    await this.contents.changed([rest]);
    return { id: _id, ...rest };
  }

  async withdrawVote(suggestion: Suggestion, user: number): Promise<void> {
    await retried(() => collectionOf(this.model).updateOne({ _id: suggestion.id }, { $pull: { votes: user } }));
    await this.contents.changed([suggestion]);
  }

  async get(id: number): Promise<Suggestion | null> {
    const found = await collectionOf(this.model).findOne({ _id: id });
    if (!found) return null;
    const { _id, ...rest } = found;
    return { id: _id, ...rest };
  }

  async page(of: { unit: number } | { translation: number }, page: number, size: number): Promise<Page<Suggestion>> {
    const { items, total } = await readPage(this.pages, collectionOf(this.model), of, { page, size });
    return { items: items.map(({ _id, ...rest }) => ({ id: _id, ...rest })), total };
  }

  async forgetAuthor(user: number): Promise<void> {
    await collectionOf(this.model).updateMany({ 'author.userId': user }, { $unset: { author: '' } });
  }

  async ofUnits(units: readonly number[]): Promise<Suggestion[]> {
    if (units.length === 0) return [];
    const found = await collectionOf(this.model)
      .find({ unit: { $in: [...units] } })
      .sort({ _id: 1 })
      .toArray();
    return found.map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  async older(component: number, before: number): Promise<Suggestion[]> {
    const found = await collectionOf(this.model)
      .find({ component, time: { $lt: before } })
      .toArray();
    return found.map(({ _id, ...rest }) => ({ ...rest, id: Number(_id) }));
  }

  countNewer(unit: number, since: number): Promise<number> {
    return collectionOf(this.model).countDocuments({ unit, time: { $gte: since } });
  }

  async remove(suggestions: readonly Suggestion[]): Promise<void> {
    await collectionOf(this.model).deleteMany({ _id: { $in: suggestions.map(({ id }) => id) } });
    await this.contents.changed(suggestions);
  }

  async removeOfComponent(component: number): Promise<void> {
    await collectionOf(this.model).deleteMany({ component });
  }
}

/** Comments in Mongo. */
export class MongoCommentStore implements CommentStore {
  private readonly pages = new CountedPages();

  constructor(
    private readonly model: Models['comments'],
    private readonly contents: ContentGenerations,
  ) {}

  async older(component: number, before: number): Promise<Comment[]> {
    const found = await collectionOf(this.model)
      .find({ component, time: { $lt: before } })
      .toArray();
    return found.map(({ _id, ...rest }) => ({ ...rest, id: Number(_id) }));
  }

  /** Counts unresolved comments. */
  countNewer(unit: number, since: number): Promise<number> {
    return collectionOf(this.model).countDocuments({ unit, time: { $gte: since }, resolved: { $ne: true } });
  }

  async remove(comments: readonly Comment[]): Promise<void> {
    await collectionOf(this.model).deleteMany({ _id: { $in: comments.map(({ id }) => id) } });
    await this.contents.changed(comments);
  }

  async get(id: number): Promise<Comment | null> {
    const found = await collectionOf(this.model).findOne({ _id: id });
    if (!found) return null;
    const { _id, ...rest } = found;
    return { ...rest, id: _id };
  }

  async page(units: readonly number[], page: number, size: number): Promise<Page<Comment>> {
    const filter = { unit: { $in: [...units] } };
    const { items, total } = await readPage(this.pages, collectionOf(this.model), filter, { page, size });
    return { items: items.map(({ _id, ...rest }) => ({ ...rest, id: _id })), total };
  }

  async update(comment: Comment, change: Partial<Pick<Comment, 'text' | 'resolved'>>): Promise<void> {
    await retried(() => collectionOf(this.model).updateOne({ _id: comment.id }, { $set: change }));
    await this.contents.changed([comment]);
  }

  async insert({ id, ...rest }: Comment): Promise<void> {
    await collectionOf(this.model).insertOne({ _id: id, ...rest });
    await this.contents.changed([rest]);
  }

  async removeOfComponent(component: number): Promise<void> {
    await collectionOf(this.model).deleteMany({ component });
  }
}
