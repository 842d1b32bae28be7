import { randomUUID } from 'node:crypto';
import type { AnnouncementBacklog, AnnouncementMarks, Backlog, UnannouncedTranslation } from '../../domain/ports';
import { collectionOf } from '../collection';
import { measureBacklog } from './measure-backlog';
import type { Models } from '../models';
import { fromDocument } from '../translation-store';

/** Marks of translations whose event could not be published, in the documents of the translations. */
export class MongoAnnouncementMarkStore implements AnnouncementMarks, AnnouncementBacklog {
  constructor(private readonly model: Models['translations']) {}

  private get collection() {
    return collectionOf(this.model);
  }

  async markUnannounced(id: number, written: number): Promise<void> {
    const unannounced = randomUUID();
    // A new mark replaces the time: an older version clears marks without it.
    const { matchedCount } = await this.collection.updateOne(
      { _id: id, unannounced: { $exists: false } },
      { $set: { unannounced, unannouncedSince: written } },
    );
    if (matchedCount > 0) return;
    await this.collection.updateOne({ _id: id }, { $set: { unannounced }, $min: { unannouncedSince: written } });
  }

  async listUnannounced(limit: number): Promise<UnannouncedTranslation[]> {
    const found = await this.collection
      .find({ unannounced: { $exists: true } }, { projection: { applied: 0 } })
      .limit(limit)
      .toArray();
    return found.map((d) => ({
      translation: fromDocument(d),
      mark: d.unannounced!,
      ...(d.unannouncedSince ? { written: d.unannouncedSince } : {}),
    }));
  }

  async clearUnannounced(id: number, mark: string): Promise<void> {
    await this.collection.updateOne(
      { _id: id, unannounced: mark },
      { $unset: { unannounced: '', unannouncedSince: '' } },
    );
  }

  measureUnannounced(limit: number): Promise<Backlog> {
    return measureBacklog(this.collection, { unannounced: { $exists: true } }, 'unannouncedSince', limit, (d) => [
      d.unannouncedSince,
    ]);
  }
}
