import type { Font, openSync } from 'fontkit';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { familyKey, weightOf } from './names';
import type { ProjectFonts, UploadedFont } from './project-fonts';

const load = createRequire(__filename);
/** Loaded on first use: most processes measure no text. */
const open = (file: string): Font => (load('fontkit') as { openSync: typeof openSync }).openSync(file) as Font;

/** A weight of a typeface, as files for parts of Unicode that complete each other. */
export interface Face {
  readonly name: string;
  /** Font of the project, which is asked for a character first. */
  readonly uploaded?: UploadedFont;
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
const faces = new Map<string, Face>();

function familyOf(name: string): (typeof FAMILIES)[number] {
  const wanted = familyKey(name);
  return (
    FAMILIES.find(({ id, generic }) => [id, ...generic].some((known) => familyKey(known) === wanted)) ?? FAMILIES[0]
  );
}

/**
 * The face for the flags `font-family` and `font-weight`. A font of the project precedes a built-in family, which stands in for the
 * characters missing from it. Unknown families get the default one.
 */
export function findFace(family: string, weight: string, fonts?: ProjectFonts): Face {
  const builtIn = builtInFace(family, weight);
  const uploaded = fonts?.find(family, weight);
  return uploaded ? { name: `${uploaded.name} ${builtIn.name}`, fonts: builtIn.fonts, uploaded } : builtIn;
}

function builtInFace(family: string, weight: string): Face {
  const { id } = familyOf(family);
  const hundreds = Math.min(900, Math.max(100, Math.round(weightOf(weight) / 100) * 100));
  const name = `${id}-${hundreds}`;
  let face = faces.get(name);
  if (!face) {
    const folder = join(dirname(load.resolve(`@fontsource/${id}/package.json`)), 'files');
    const fonts = SUBSETS.map((subset) => {
      let font: Font | undefined;
      const file = join(folder, `${id}-${subset}-${hundreds}-normal.woff2`);
      return () => (font ??= open(file));
    });
    face = { name, fonts };
    faces.set(name, face);
  }
  return face;
}
