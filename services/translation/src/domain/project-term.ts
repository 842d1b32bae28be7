import type { GlossaryTerm } from '@parlance/checks';

/** A glossary term and where it comes from. */
export interface ProjectTerm extends GlossaryTerm {
  unit: number;
  component: number;
  /** The term that it is a variant of, by its flag `variant`. */
  variantOf?: string;
}
