import { looksSealed, type SecretBox } from '@parlance/secrets';
import type { Connection, mongo } from 'mongoose';
import { BULK_QUERY_MS } from '../query-limits';
import type { BackupRules } from './backup-rules';

/** Sealed texts that one call replaces, at most. */
const BATCH = 500;

interface Found {
  collection: string;
  /** Of any type; the driver's default is the one that its types know. */
  id: mongo.ObjectId;
  /** Path without wildcards. */
  path: string;
  sealed: string;
}

/** The sealed texts of a service's documents, as the rules of its collections name them. */
export class SealedTexts {
  constructor(
    private readonly connection: Connection,
    private readonly rules: BackupRules,
    private readonly secrets: SecretBox,
  ) {}

  /** How many texts each key has sealed, the current key first, and how many no key opens. */
  async count(): Promise<{ keys: { key: string; count: number }[]; unreadable: number }> {
    const counts = new Map(this.secrets.fingerprints.map((key) => [key, 0]));
    let unreadable = 0;
    for await (const { sealed } of this.find()) {
      const key = this.secrets.keyOf(sealed);
      if (key === undefined) unreadable++;
      else counts.set(key, counts.get(key)! + 1);
    }
    return { keys: [...counts].map(([key, count]) => ({ key, count })), unreadable };
  }

  /**
   * Seals texts of other keys with the current one. A text that was changed meanwhile stays as it is. Versions of documents stay the
   * same, because their content does: concurrent writes do not conflict.
   * @returns the number of replaced texts, and whether there may be more
   */
  async reseal(): Promise<{ resealed: number; more: boolean }> {
    const [current] = this.secrets.fingerprints;
    let resealed = 0;
    for await (const { collection, id, path, sealed } of this.find()) {
      const key = this.secrets.keyOf(sealed);
      if (key === undefined || key === current) continue;
      const text = this.secrets.seal(this.secrets.open(sealed));
      const { modifiedCount } = await this.database
        .collection(collection)
        .updateOne({ _id: id, [path]: sealed }, { $set: { [path]: text } });
      resealed += modifiedCount;
      if (resealed >= BATCH) return { resealed, more: true };
    }
    return { resealed, more: false };
  }

  private get database(): mongo.Db {
    if (!this.connection.db) throw new Error('sealed texts: the store is not connected');
    return this.connection.db;
  }

  private async *find(): AsyncGenerator<Found> {
    for (const [collection, rule] of Object.entries(this.rules)) {
      if (!rule.copied) continue;
      for (const pattern of rule.sealed ?? []) {
        const steps = pattern.split('.');
        const field = steps[0]!;
        const cursor = this.database
          .collection(collection)
          .find({ [field]: { $nin: ['', null] } }, { projection: { [field]: 1 }, maxTimeMS: BULK_QUERY_MS });
        for await (const document of cursor)
          for (const { path, sealed } of textsAt(document, steps, []))
            yield { collection, id: document._id, path, sealed };
      }
    }
  }
}

/** Sealed texts at a path with wildcards. */
function* textsAt(
  value: unknown,
  steps: readonly string[],
  path: string[],
): Generator<{ path: string; sealed: string }> {
  const [step, ...rest] = steps;
  if (step === undefined) {
    if (typeof value === 'string' && looksSealed(value)) yield { path: path.join('.'), sealed: value };
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const names = step === '*' ? Object.keys(value) : [step];
  for (const name of names) yield* textsAt((value as Record<string, unknown>)[name], rest, [...path, name]);
}
