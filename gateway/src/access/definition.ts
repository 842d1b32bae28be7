import type { AccessTarget, Permission } from '@parlance/access';
import type { Call } from '../routing/call';

/**
 * One way to get access: a permission on the site, on the object of the path or on another object of the request; or an identity.
 */
export type Way =
  | { readonly permission: Permission; readonly on: 'site' | 'object' | 'other' }
  /** The user named by the path. */
  | 'self'
  | 'superuser'
  /** An admin of the team named by the request. */
  | 'team-admin';

/** One of several actions of a request that require different permissions. */
export interface Case {
  /** Description of the action. */
  readonly does: string;
  /** Fields of the body that request the action. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Kind of string that the action applies to; `template`: a source string of a template, whose text can be edited; absent: any. */
  readonly on?: 'source' | 'template' | 'translation' | 'glossary';
  /** All of these permissions on the object are required. */
  readonly all: readonly Permission[];
  /** Permission of the author of the object instead. */
  readonly author?: Permission;
}

/**
 * An object that a field of the body may name besides the object of the path. Without the permissions on it, or if it is hidden
 * from the caller, the field is invalid (400).
 */
export interface Named {
  readonly field: string;
  /** All of these permissions; `sight`: visible to the caller; `same project`: in the project of the path's object. */
  readonly needs: readonly Permission[] | 'sight' | 'same project';
}

/**
 * Access rule of an endpoint:
 * - `anyone`: no token required; lists contain only objects that the caller may see
 * - `signed-in`: any token
 * - `person`: any token except project tokens
 * - `{ site }`: a site-wide permission; `of` loads the object of the path first, so that 404 precedes 403
 * - `{ any }`: one of the permissions on the object of the path; `of` loads it if the path does not name the project;
 * `people`: no project tokens
 * - `{ ways }`: one of several ways; checked by `decide`, or by the handler if the body names the object
 * - `{ cases }`: depends on the requested action; checked by the handler or the service
 */
export type Access =
  | 'anyone'
  | 'signed-in'
  | 'person'
  | { site: Permission; of?: (call: Call) => Promise<unknown> }
  | {
      any: readonly Permission[];
      anonymousForbidden?: boolean;
      people?: boolean;
      of?: (call: Call) => Promise<AccessTarget>;
    }
  | { ways: readonly Way[]; decide?: (call: Call) => void | Promise<void> }
  | { cases: readonly Case[] };
