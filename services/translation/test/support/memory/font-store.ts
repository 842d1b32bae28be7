import type { FontStore, StoredFont } from '../../../src/domain/project-fonts';

/** A font of project 1 in which each of these letters is an em wide. */
export function sampleFont(id: number, fields: Partial<StoredFont> = {}, letters = 'Ahoj'): StoredFont {
  const points = [...letters].map((letter) => letter.codePointAt(0)!).sort((a, b) => a - b);
  const codePoints = Buffer.alloc(points.length * 4);
  points.forEach((point, i) => codePoints.writeUInt32LE(point, i * 4));
  const advances = Buffer.from(new Uint16Array(points.map(() => 1000)).buffer);
  const face = { family: 'Wide', weight: 400, italic: false, unitsPerEm: 1000 };
  return { id, project: 1, ...face, codePoints, advances, ...fields };
}

/** Copies of fonts in memory. */
export class MemoryFontStore implements FontStore {
  private readonly stored = new Map<number, StoredFont>();

  constructor(private readonly log: (effect: string) => void) {}

  async idsOf(project: number): Promise<readonly number[]> {
    return (await this.ofProject(project)).map(({ id }) => id);
  }

  async ofProject(project: number): Promise<readonly StoredFont[]> {
    this.log(`read fonts of project ${project}`);
    return [...this.stored.values()].filter((font) => font.project === project).sort((a, b) => a.id - b.id);
  }

  async put(font: StoredFont): Promise<void> {
    this.stored.set(font.id, font);
    this.log(`put font ${font.id}`);
  }

  async removeOfProject(project: number): Promise<void> {
    for (const { id } of await this.ofProject(project)) await this.remove(id);
  }

  async remove(id: number): Promise<void> {
    this.stored.delete(id);
    this.log(`remove font ${id}`);
  }
}
