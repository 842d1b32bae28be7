import type { OutgoingEvent } from '@parlance/events';
import { CountedPages, driverCollection, type IdSequences } from '@parlance/store-kit';
import type { Font, FontWidths } from '../domain/font';
import type { ContentGenerations, FontStore, ObsoleteObjects } from '../domain/ports';
import type { FontDocument, Models } from './models';
import { scopeKey } from './screenshot-store';

const present = { removed: { $ne: true } };
const withoutWidths = { unitsPerEm: 0, codePoints: 0, advances: 0, outbox: 0, removed: 0 };

const toFont = ({ _id, ...rest }: Omit<FontDocument, keyof typeof withoutWidths>): Font => ({ id: _id, ...rest });

/** Fonts in MongoDB. */
export class MongoFontStore implements FontStore {
  private readonly pages = new CountedPages();

  constructor(
    private readonly models: Pick<Models, 'fonts' | 'places'>,
    private readonly ids: IdSequences,
    private readonly contents: ContentGenerations,
  ) {}

  private get collection() {
    return driverCollection(this.models.fonts);
  }

  newId(): Promise<number> {
    return this.ids.next('font');
  }

  async get(id: number): Promise<Font | undefined> {
    const found = await this.models.fonts.findOne({ _id: id, ...present }, withoutWidths).lean<FontDocument | null>();
    return found ? toFont(found) : undefined;
  }

  async list(projectId: number, skip: number, limit: number): Promise<{ fonts: Font[]; total: number }> {
    const filter = { projectId, ...present };
    const query = this.models.fonts.find(filter, withoutWidths).sort({ _id: 1 }).skip(skip);
    const { items, total } = await this.pages.read(
      { filter, skip, size: limit },
      async () => (limit === Infinity ? query : query.limit(limit)).lean<FontDocument[]>(),
      async () => this.models.fonts.countDocuments(filter),
    );
    return { fonts: items.map(toFont), total };
  }

  async widths(id: number): Promise<FontWidths | undefined> {
    const found = await this.collection.findOne(
      { _id: id, ...present },
      { projection: { unitsPerEm: 1, codePoints: 1, advances: 1 }, promoteBuffers: true },
    );
    return found ? { unitsPerEm: found.unitsPerEm, codePoints: found.codePoints, advances: found.advances } : undefined;
  }

  async add({ id, ...rest }: Font, widths: FontWidths, events: OutgoingEvent[]): Promise<boolean> {
    const { unitsPerEm } = widths;
    const [codePoints, advances] = [Buffer.from(widths.codePoints), Buffer.from(widths.advances)];
    await this.collection.insertOne({ _id: id, ...rest, unitsPerEm, codePoints, advances, outbox: events });
    // As with screenshots: a deletion of the project records it before it deletes the fonts, an addition checks for it afterwards.
    const isDeleted = (await this.models.places.exists({ _id: scopeKey({ projectId: rest.projectId }) })) !== null;
    if (isDeleted) await this.collection.deleteMany({ _id: id });
    await this.changed(rest);
    return !isDeleted;
  }

  async remove({ id, projectId }: Pick<Font, 'id' | 'projectId'>, events: OutgoingEvent[]): Promise<boolean> {
    const { modifiedCount } = await this.collection.updateOne(
      { _id: id, ...present },
      { $set: { removed: true }, $push: { outbox: { $each: events } } },
    );
    await this.changed({ projectId });
    return modifiedCount === 1;
  }

  private changed({ projectId }: Pick<Font, 'projectId'>): Promise<void> {
    return this.contents.changed([{ project: projectId, component: 0 }]);
  }

  async waste(limit: number): Promise<ObsoleteObjects[]> {
    // The document stays until its last event is published.
    const found = await this.models.fonts
      .find({ removed: true, 'outbox.0': { $exists: false } }, { key: 1 })
      .limit(limit)
      .lean<Pick<FontDocument, '_id' | 'key'>[]>();
    return found.map(({ _id, key }) => ({ ownerId: _id, keys: [key], removed: true }));
  }

  async wasteRemoved({ ownerId }: ObsoleteObjects): Promise<void> {
    await this.collection.deleteMany({ _id: ownerId, removed: true });
  }
}
