/** A named set of permissions. */
export interface Role {
  id: number;
  version: number;
  name: string;
  /** Codenames. */
  permissions: string[];
  /** Being removed: seen by nobody, grants nothing. */
  deleted: boolean;
}

export const ROLE_NAME_MAX = 200;
