import { isServiceError } from '@parlance/errors';
import type { Client } from '@parlance/grpc-kit';
import { hash } from 'node:crypto';
import type { Component } from '../domain/component';
import type { Agreements } from '../domain/ports';

/** Acceptances that are remembered. */
const REMEMBERED = 20_000;

/** Asks the catalog who accepted an agreement. What was accepted stays so until the agreement is another one. */
export class AgreementsClient implements Agreements {
  private readonly accepting = new Set<string>();

  constructor(
    private readonly client: Client<'catalog'>,
    private readonly own: () => string,
  ) {}

  async accepted({ id, agreement }: Component, userId: number): Promise<boolean> {
    const key = `${id} ${userId} ${hash('sha256', agreement)}`;
    if (this.accepting.has(key)) return true;
    try {
      const { agreed } = await this.client.getAgreement({ componentId: id, userId }, { as: this.own() });
      if (!agreed) return false;
    } catch (error) {
      if (isServiceError(error, 'NOT_FOUND')) return false;
      throw error;
    }
    if (this.accepting.size >= REMEMBERED) this.accepting.clear();
    this.accepting.add(key);
    return true;
  }
}
