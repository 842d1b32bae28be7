import { ChangeAction } from '@parlance/contracts';

export { contentActions } from '@parlance/contracts';
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
  /** Who did it; 0: nobody with an account. */
  user: number;
  /** Whose text it is. */
  author: number;
  target: string;
  old: string;
  details: Record<string, unknown>;
  /** Names what happens only once, whoever records it: of entries with the same name the first stays. Absent: nothing such. */
  once?: string;
}
