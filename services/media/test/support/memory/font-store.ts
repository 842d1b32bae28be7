import type { OutgoingEvent } from '@parlance/events';
import type { Font, FontWidths } from '../../../src/domain/font';
import type { FontStore, ObsoleteObjects } from '../../../src/domain/ports';

/** Fonts in memory. */
export class MemoryFontStore implements FontStore {
  private readonly stored = new Map<number, { font: Font; widths: FontWidths }>();
  private obsolete: ObsoleteObjects[] = [];
  private lastId = 0;
  /** The project was deleted: nothing can be added. */
  closed = false;

  constructor(private readonly log: (effect: string) => void) {}

  async get(id: number): Promise<Font | undefined> {
    return this.stored.get(id)?.font;
  }

  async list(projectId: number, skip: number, limit: number): Promise<{ fonts: Font[]; total: number }> {
    const all = [...this.stored.values()].map(({ font }) => font).filter((font) => font.projectId === projectId);
    return { fonts: all.slice(skip, skip + limit), total: all.length };
  }

  async widths(id: number): Promise<FontWidths | undefined> {
    return this.stored.get(id)?.widths;
  }

  async newId(): Promise<number> {
    return ++this.lastId;
  }

  async add(font: Font, widths: FontWidths, events: OutgoingEvent[]): Promise<boolean> {
    if (this.closed) return false;
    this.stored.set(font.id, { font, widths });
    this.log(`store font (${events.map((e) => e.payloadName).join()})`);
    return true;
  }

  async remove({ id }: Pick<Font, 'id'>, events: OutgoingEvent[]): Promise<boolean> {
    const found = this.stored.get(id);
    if (!found) return false;
    this.stored.delete(id);
    this.obsolete.push({ ownerId: id, keys: [found.font.key], removed: true });
    this.log(`remove font (${events.map((e) => e.payloadName).join()})`);
    return true;
  }

  async waste(limit: number): Promise<ObsoleteObjects[]> {
    return this.obsolete.slice(0, limit);
  }

  async wasteRemoved(waste: ObsoleteObjects): Promise<void> {
    this.obsolete = this.obsolete.filter((one) => one !== waste);
  }
}
