import { ChangeAction } from '@parlance/contracts';

export { contentActions, RECENT_CHANGES_MS } from '@parlance/contracts';
export const Action = ChangeAction;

/** One entry of the history. */
export interface Change {
  id: number;
  action: number;
  time: number;
  project: number;
  component: number;
  translation: number;
  unit: number;
  language: string;
  /** Acting user; 0: no account. */
  user: number;
  /** Author of the text. */
  author: number;
  target: string;
  old: string;
  details: Record<string, unknown>;
  /** Idempotency key: of entries with the same key the first is kept. */
  once?: string;
}
