/** What identity knows of a project: enough to find its teams and to judge rights on it. */
export interface Project {
  id: number;
  version: number;
  slug: string;
  /** 0 public, 1 protected, 100 private, 200 custom. */
  accessControl: number;
  /** Translations or sources are reviewed. */
  review: boolean;
}
