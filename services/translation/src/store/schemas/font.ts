import { documentSchema, required, type DocumentOf } from '@parlance/store-kit';

/** A font that a project uploaded; the media service owns it. */
export const font = documentSchema('fonts', {
  _id: required(Number),
  project: required(Number),
  family: required(String),
  weight: required(Number),
  italic: required(Boolean),
  unitsPerEm: required(Number, { min: 1 }),
  codePoints: required(Buffer),
  advances: required(Buffer),
});
font.index({ project: 1, _id: 1 });
export type FontDocument = DocumentOf<typeof font>;
