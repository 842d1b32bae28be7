import { familyKey, weightOf } from './names';

/** The advances of a font's characters, as the media service derives them from an uploaded font. */
export interface FontWidths {
  /** Identifies the font. */
  readonly id: number;
  readonly family: string;
  /** 1 to 1000, as in the font; 400 is regular, 700 is bold. */
  readonly weight: number;
  readonly italic: boolean;
  readonly unitsPerEm: number;
  /** Characters of the font, ascending, as 32-bit little-endian numbers. */
  readonly codePoints: Uint8Array;
  /** Their advances in units of the font, as 16-bit little-endian numbers. */
  readonly advances: Uint8Array;
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** An uploaded font. Texts are measured by the advances of their characters, without kerning and ligatures. */
export class UploadedFont {
  readonly name: string;
  private readonly codePoints: DataView;
  private readonly advances: DataView;

  constructor(readonly widths: FontWidths) {
    this.name = `uploaded-${widths.id}`;
    this.codePoints = view(widths.codePoints);
    this.advances = view(widths.advances);
  }

  /** Advance of a character in parts of the font size; undefined if the font does not contain it. */
  advance(codePoint: number): number | undefined {
    let low = 0;
    let high = Math.floor(this.advances.byteLength / 2) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.codePoints.getUint32(middle * 4, true);
      if (found === codePoint) return this.advances.getUint16(middle * 2, true) / this.widths.unitsPerEm;
      if (found < codePoint) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }
}

/** The fonts of a project, by family and weight. */
export class ProjectFonts {
  private readonly families = new Map<string, UploadedFont[]>();
  /** Equal for equal sets of fonts. */
  readonly key: string;

  /** @param fonts of two with the same family, weight and slope, the one with the higher id counts */
  constructor(fonts: readonly UploadedFont[]) {
    const newestFirst = [...fonts].sort((a, b) => b.widths.id - a.widths.id);
    this.key = newestFirst.map(({ widths }) => widths.id).join(',');
    for (const font of newestFirst) {
      const family = familyKey(font.widths.family);
      this.families.set(family, [...(this.families.get(family) ?? []), font]);
    }
  }

  /** The font of a family with the nearest weight, upright if there is one; undefined if the project has no such family. */
  find(family: string, weight: string): UploadedFont | undefined {
    const key = familyKey(family);
    if (key === '') return undefined;
    const wanted = weightOf(weight);
    const distance = ({ widths }: UploadedFont): number =>
      (widths.italic ? 1000 : 0) + Math.abs(widths.weight - wanted);
    let best: UploadedFont | undefined;
    for (const font of this.families.get(key) ?? []) if (!best || distance(font) < distance(best)) best = font;
    return best;
  }
}
