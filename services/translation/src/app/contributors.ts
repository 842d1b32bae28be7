import { denialMessage, lacksSecondFactor, SECOND_FACTOR_REQUIRED, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Component } from '../domain/component';
import type { Agreements } from '../domain/ports';

export interface ContributorDeps {
  agreements: Agreements;
}

/** What keeps somebody who has the rights from contributing to a component; null: nothing. Bots and processes are kept by nothing. */
async function obstacle(deps: ContributorDeps, caller: Caller, component: Component): Promise<string | null> {
  if (lacksSecondFactor(caller, component)) return SECOND_FACTOR_REQUIRED;
  if (component.agreement === '' || caller.isBot || caller.service) return null;
  if (await deps.agreements.accepted(component, caller.userId)) return null;
  return 'Contributors to this component accept its agreement first: POST {"agreed": true} to its agreement/.';
}

/** Whether somebody who has the rights may change strings of a component: see `requireContributor`. */
export async function mayContribute(deps: ContributorDeps, caller: Caller, component: Component): Promise<boolean> {
  return (await obstacle(deps, caller, component)) === null;
}

/**
 * Asks of people who change strings what the project and the component ask of contributors: a second factor, and that they accepted
 * the agreement as it stands.
 * @throws PERMISSION_DENIED
 */
export async function requireContributor(deps: ContributorDeps, caller: Caller, component: Component): Promise<void> {
  const message = await obstacle(deps, caller, component);
  if (message !== null) throw new ServiceError('PERMISSION_DENIED', { message });
}

/** The error for a caller without a permission on a component; its message names a missing second factor. */
export function deniedOn(caller: Caller, component: Component): ServiceError {
  return new ServiceError('PERMISSION_DENIED', { message: denialMessage(caller, component) });
}
