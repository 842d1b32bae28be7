import { IdSequences } from '@parlance/store-kit';
import type { IdKind } from '../domain/ports';
import type { Models } from './models';

/** Ids of this service's objects. Entries of history and memory are created in large numbers; the order of their ids is not their age. */
export const makeIds = ({ counters }: Pick<Models, 'counters'>): IdSequences<IdKind> =>
  new IdSequences<IdKind>(counters.collection, { blocks: { size: 100, of: ['change', 'memory'] } });
