import type { Migration } from '@parlance/store-kit';
import type { Connection } from 'mongoose';
import { isUnpushed, type Repository } from '../domain/repository';

type OldRepository = { _id: string } & Pick<Repository, 'vcs' | 'head' | 'pushed' | 'ahead' | 'behind'> &
  Partial<Pick<Repository, 'unpushedSince' | 'unmergedSince'>>;

/**
 * Repositories of versions before `unpushedSince` and `unmergedSince`: lists and ages by these times miss them until their next change. The
 * times begin now, because earlier times are unknown.
 */
const stateTimesOfRepositories: Migration = {
  name: 'repository-state-times',
  async batch(connection: Connection, limit: number) {
    const repositories = connection.db!.collection<OldRepository>('repositories');
    const found = await repositories
      .find({
        $or: [
          { ahead: { $gt: 0 }, vcs: { $ne: 'local' }, unpushedSince: { $exists: false } },
          { behind: { $gt: 0 }, unmergedSince: { $exists: false } },
        ],
      })
      .limit(limit)
      .toArray();
    const now = Date.now();
    for (const old of found) {
      const { _id, head, pushed, ahead, behind } = old;
      await repositories.updateOne(
        // A repository that changed meanwhile is found again.
        { _id, head, pushed, ahead, behind },
        {
          $set: {
            unpushedSince: old.unpushedSince ?? (isUnpushed(old) ? now : null),
            unmergedSince: old.unmergedSince ?? (behind > 0 ? now : null),
          },
        },
      );
    }
    return found.length;
  },
};

/** All migrations in their order; see docs/adr/0037-migrate-documents-online.md. */
export const migrations: readonly Migration[] = [stateTimesOfRepositories];
