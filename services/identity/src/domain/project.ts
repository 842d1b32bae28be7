/** Identity's copy of a project: fields for its teams and permission checks. */
export interface Project {
  id: number;
  version: number;
  slug: string;
  /** 0 public, 1 protected, 100 private, 200 custom. */
  accessControl: number;
  /** Translations or sources are reviewed. */
  review: boolean;
}
