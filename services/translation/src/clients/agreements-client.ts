import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import { hash } from 'node:crypto';
import type { Component } from '../domain/component';
import type { Agreements } from '../domain/ports';

/** Capacity of the cache. */
const CAPACITY = 20_000;

/** Queries the catalog for accepted agreements. Caches acceptances, which are final for one text of the agreement. */
export class AgreementsClient implements Agreements {
  private readonly acceptances = new Set<string>();

  constructor(
    private readonly client: Client<'catalog'>,
    private readonly callerToken: () => string,
  ) {}

  async accepted({ id, agreement }: Component, userId: number): Promise<boolean> {
    const key = `${id} ${userId} ${hash('sha256', agreement)}`;
    if (this.acceptances.has(key)) return true;
    try {
      const { agreed } = await this.client.getAgreement({ componentId: id, userId }, { as: this.callerToken() });
      if (!agreed) return false;
    } catch (error) {
      if (isServiceError(error, 'NOT_FOUND')) return false;
      throw error;
    }
    if (this.acceptances.size >= CAPACITY) this.acceptances.clear();
    this.acceptances.add(key);
    return true;
  }
}
