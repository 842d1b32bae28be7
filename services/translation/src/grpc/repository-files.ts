import type { translation as proto } from '@parlance/contracts';
import { fieldErrors, ServiceError } from '@parlance/errors';
import { FormatError } from '@parlance/formats';
import type { Component } from '../domain/component';
import type { Catalog } from '../domain/ports';
import { componentFromProto } from './mappers';

/** A component with the settings that the caller overrides. @throws NOT_FOUND */
export async function knownComponent(
  { catalog }: { catalog: Catalog },
  id: number,
  info: proto.ComponentInfo__Output | null,
): Promise<Component> {
  const known = await catalog.component(id, '');
  if (!known) throw new ServiceError('NOT_FOUND', { message: 'The component does not exist.' });
  return info ? componentFromProto(info, known) : known;
}

/** Turns parse errors into field errors with the position in the file. @throws INVALID on field file */
export async function withFieldErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FormatError) throw fieldErrors([{ attr: 'file', code: 'invalid', detail: error.describe() }]);
    throw error;
  }
}
