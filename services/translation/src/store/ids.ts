import { BlockIds } from '@parlance/store-kit';
import type { IdKind } from '../domain/ports';
import type { Models } from './models';

/** Ids of this service's objects. Strings are listed by id, so theirs are in the order in which all replicas add them. */
export const makeIds = ({ counters }: Pick<Models, 'counters'>): BlockIds<IdKind> =>
  new BlockIds<IdKind>(counters.collection, 100, {}, ['unit']);
