import type { Author } from '../unit';
import type { Page } from './ids';

export interface Suggestion {
  id: number;
  unit: number;
  translation: number;
  component: number;
  project: number;
  target: string[];
  user: number;
  time: number;
  origin?: string;
  /** Users who voted for it, where suggestions are voted on; the first is its author. */
  votes?: number[];
  /** Author of the commit that an accepted suggestion ends in, where suggestions are voted on. */
  author?: Author;
}

export interface Comment {
  id: number;
  unit: number;
  translation: number;
  component: number;
  project: number;
  text: string;
  user: number;
  /** Milliseconds since the epoch. */
  time: number;
  resolved?: boolean;
  /** It reports a mistake in the source string. */
  report?: boolean;
}

/** Suggestions or comments that expire. */
export interface AgingStore<T> {
  older(component: number, before: number): Promise<T[]>;
  /** Remarks of a unit since a time that its counters include. */
  countNewer(unit: number, since: number): Promise<number>;
  remove(remarks: readonly T[]): Promise<void>;
}

export interface SuggestionStore extends AgingStore<Suggestion> {
  get(id: number): Promise<Suggestion | null>;
  /** By id. */
  page(of: { unit: number } | { translation: number }, page: number, size: number): Promise<Page<Suggestion>>;
  /** @returns false when a suggestion of the same origin exists */
  insert(suggestion: Suggestion): Promise<boolean>;
  /** Inserts suggestions without an origin. */
  insertMany(suggestions: readonly Suggestion[]): Promise<void>;
  /** Adds a vote. @returns the suggestion afterwards; null when it was deleted or has that vote */
  vote(id: number, user: number): Promise<Suggestion | null>;
  withdrawVote(suggestion: Suggestion, user: number): Promise<void>;
  /** Deletes the name and address of an author. */
  forgetAuthor(user: number): Promise<void>;
  ofUnits(units: readonly number[]): Promise<Suggestion[]>;
  removeOfComponent(component: number): Promise<void>;
}

export interface CommentStore extends AgingStore<Comment> {
  insert(comment: Comment): Promise<void>;
  get(id: number): Promise<Comment | null>;
  /** Comments on any of the units, by id. */
  page(units: readonly number[], page: number, size: number): Promise<Page<Comment>>;
  update(comment: Comment, change: Partial<Pick<Comment, 'text' | 'resolved'>>): Promise<void>;
  removeOfComponent(component: number): Promise<void>;
}
