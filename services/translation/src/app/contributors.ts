import { denialMessage, lacksSecondFactor, SECOND_FACTOR_REQUIRED, type Principal } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import type { Component } from '../domain/component';
import type { Parts } from './parts';

/** What keeps somebody who has the rights from contributing to a component; null: nothing. Bots and processes are kept by nothing. */
async function obstacle(
  parts: Pick<Parts, 'agreements'>,
  principal: Principal,
  component: Component,
): Promise<string | null> {
  if (lacksSecondFactor(principal, component)) return SECOND_FACTOR_REQUIRED;
  if (component.agreement === '' || principal.isBot || principal.service) return null;
  if (await parts.agreements.accepted(component, principal.userId)) return null;
  return 'Contributors to this component accept its agreement first: POST {"agreed": true} to its agreement/.';
}

/** Whether somebody who has the rights may change strings of a component: see `requireContributor`. */
export async function mayContribute(
  parts: Pick<Parts, 'agreements'>,
  principal: Principal,
  component: Component,
): Promise<boolean> {
  return (await obstacle(parts, principal, component)) === null;
}

/**
 * Asks of people who change strings what the project and the component ask of contributors: a second factor, and that they accepted
 * the agreement as it stands.
 * @throws PERMISSION_DENIED
 */
export async function requireContributor(
  parts: Pick<Parts, 'agreements'>,
  principal: Principal,
  component: Component,
): Promise<void> {
  const message = await obstacle(parts, principal, component);
  if (message !== null) throw new ServiceError('PERMISSION_DENIED', { message });
}

/** The error for a caller without a permission on a component; its message names a missing second factor. */
export function deniedOn(principal: Principal, component: Component): ServiceError {
  return new ServiceError('PERMISSION_DENIED', { message: denialMessage(principal, component) });
}
