import type { Font, openSync } from 'fontkit';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const load = createRequire(__filename);
/** Loaded on first use: most processes measure no text. */
const open = (file: string): Font => (load('fontkit') as { openSync: typeof openSync }).openSync(file) as Font;

/** A weight of a typeface, as files for parts of Unicode that complete each other. */
export interface Face {
  readonly name: string;
  /** Fonts in the order in which they are asked for a glyph. Opened on first use. */
  readonly fonts: readonly (() => Font)[];
}

/** Families as packages of @fontsource. The first one is the default. */
const FAMILIES = [
  { id: 'noto-sans', generic: ['sans', 'sans-serif'] },
  { id: 'noto-serif', generic: ['serif'] },
  { id: 'noto-sans-mono', generic: ['mono', 'monospace'] },
] as const;

const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'] as const;
/** Numbers by name, as font descriptions use them. */
const WEIGHTS: Readonly<Record<string, number>> = {
  thin: 100,
  ultralight: 200,
  extralight: 200,
  light: 300,
  normal: 400,
  regular: 400,
  medium: 500,
  semibold: 600,
  demibold: 600,
  bold: 700,
  ultrabold: 800,
  extrabold: 800,
  heavy: 900,
  black: 900,
};

const faces = new Map<string, Face>();

/** `Noto Sans Mono`, `noto-sans_mono` and `NotoSansMono` name one family. */
const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function familyOf(name: string): (typeof FAMILIES)[number] {
  const wanted = folded(name);
  return FAMILIES.find(({ id, generic }) => [id, ...generic].some((known) => folded(known) === wanted)) ?? FAMILIES[0];
}

/** The weight as a multiple of 100 from 100 to 900; 400 for unknown ones. */
function weightOf(name: string): number {
  const given = /^\d{3}$/.test(name.trim()) ? Number(name) : WEIGHTS[folded(name)];
  return given === undefined ? 400 : Math.min(900, Math.max(100, Math.round(given / 100) * 100));
}

/** The face for the flags `font-family` and `font-weight`. Unknown families get the default one. */
export function findFace(family: string, weight: string): Face {
  const { id } = familyOf(family);
  const name = `${id}-${weightOf(weight)}`;
  let face = faces.get(name);
  if (!face) {
    const folder = join(dirname(load.resolve(`@fontsource/${id}/package.json`)), 'files');
    const fonts = SUBSETS.map((subset) => {
      let font: Font | undefined;
      const file = join(folder, `${id}-${subset}-${weightOf(weight)}-normal.woff2`);
      return () => (font ??= open(file));
    });
    face = { name, fonts };
    faces.set(name, face);
  }
  return face;
}
