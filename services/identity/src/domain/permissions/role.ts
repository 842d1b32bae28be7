/** A named set of permissions. */
export interface Role {
  id: number;
  version: number;
  name: string;
  /** Codenames. */
  permissions: string[];
  /** Deletion in progress: hidden and without effect. */
  deleted: boolean;
}

export const ROLE_NAME_MAX = 200;
