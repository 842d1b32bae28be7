import { denialMessage, lacksSecondFactor, SECOND_FACTOR_REQUIRED, type Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Component } from '../domain/component';
import type { Agreements } from '../domain/ports';

export interface ContributorDeps {
  agreements: Agreements;
}

/** Why a caller with the permission may not contribute to a component; null: may. Bots and services always may. */
async function contributionProblem(
  deps: ContributorDeps,
  caller: Caller,
  component: Component,
): Promise<string | null> {
  if (lacksSecondFactor(caller, component)) return SECOND_FACTOR_REQUIRED;
  if (component.agreement === '' || caller.isBot || caller.service) return null;
  if (await deps.agreements.accepted(component, caller.userId)) return null;
  return 'Contributors to this component accept its agreement first: POST {"agreed": true} to its agreement/.';
}

/** See `requireContributor`. */
export async function mayContribute(deps: ContributorDeps, caller: Caller, component: Component): Promise<boolean> {
  return (await contributionProblem(deps, caller, component)) === null;
}

/**
 * Requires the second factor of the project and the current agreement of the component from callers that change strings.
 * @throws PERMISSION_DENIED
 */
export async function requireContributor(deps: ContributorDeps, caller: Caller, component: Component): Promise<void> {
  const message = await contributionProblem(deps, caller, component);
  if (message !== null) throw new ServiceError('PERMISSION_DENIED', { message });
}

/** Error for a missing permission; names a missing second factor. */
export function deniedOn(caller: Caller, component: Component): ServiceError {
  return new ServiceError('PERMISSION_DENIED', { message: denialMessage(caller, component) });
}
