import type { TextField } from '@parlance/search';
import { Slice } from '@parlance/patterns';
import { inBulk } from '@parlance/store-kit';
import { logger } from '@parlance/telemetry';
import type { TranslationReader, UnitFields, UnitQueries, WrittenUnits } from '../../domain/ports';
import { type TextRequirement, TextSignatures } from '../../domain/text-signature';
import { allOf, type UnitQuery } from '../../domain/unit-query';
import { performance } from 'node:perf_hooks';
import { setImmediate as breath, setTimeout as pause } from 'node:timers/promises';
import { SizedCache } from '../caches/sized-cache';

/** Fields whose texts signatures know. */
export const SIGNED_FIELDS: ReadonlySet<TextField> = new Set<TextField>(['source', 'target', 'context']);
/**
 * Units whose signatures are kept, some 70 bytes each; those of translations that were not asked for longest go first. Searches in
 * more units than that, and in translations of more than a quarter of them, do without.
 */
const MOST_SIGNED = 2_000_000;
/** Units that are signed at a stretch. */
const STRETCH = 1_000;
/** Signatures that are compared between two looks at the clock. */
const SCANNED = 4_096;
/** With more candidates a search reads the units as they lie. */
const MOST_CANDIDATES = 5_000;

/** A translation as it is now. */
interface Version {
  id: number;
  version: number;
}

/**
 * Narrows searches for texts down: signatures in memory rule out nearly all units that do not have a text, so the store looks only
 * at few of them. They hold for the version of the translation for which they were made and for writes of this process since; in
 * a translation that is in any other state the store looks at all units, and signatures are made in the background.
 */
export class TextIndex {
  private readonly signatures = new SizedCache<TextSignatures>(MOST_SIGNED);
  private readonly wanted = new Map<number, Promise<void>>();
  private signing: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly units: Pick<UnitQueries, 'idsOf'> & Pick<UnitFields, 'texts'>,
    private readonly translations: Pick<TranslationReader, 'get'>,
  ) {}

  /**
   * Ids among which all units of some translations are that fit a search; null when that rules out too little.
   *
   * @param query selects units of translations without signatures
   */
  async candidates(
    requirement: TextRequirement,
    scope: readonly (Version & { units: number })[],
    query: UnitQuery,
  ): Promise<number[] | null> {
    const all = scope.reduce((sum, { units }) => sum + units, 0);
    if (all > MOST_SIGNED) return null;
    const found: number[] = [];
    const unsigned: number[] = [];
    let unknown = 0;
    const slice = new Slice();
    for (const translation of scope) {
      const signatures = this.of(translation);
      if (signatures)
        for (let at = 0; at < signatures.size; at += SCANNED) {
          signatures.candidates(requirement, found, at, at + SCANNED);
          if (slice.over) await slice.pause();
        }
      else {
        unsigned.push(translation.id);
        unknown += translation.units;
        if (translation.units <= MOST_SIGNED / 4) void this.sign(translation.id);
      }
    }
    if (unknown > all / 2 || found.length > MOST_CANDIDATES) return null;
    if (unsigned.length > 0)
      found.push(...(await this.units.idsOf(allOf({ kind: 'translations', ids: unsigned }, query))));
    return found.length > MOST_CANDIDATES ? null : found;
  }

  /** A write of this process led to a version of a translation. */
  written({ id, version }: Version, units: WrittenUnits): void {
    const signatures = this.signatures.get(String(id));
    if (!signatures) return;
    if (units === 'any' || !signatures.written(version, units) || signatures.worn) this.signatures.delete(String(id));
  }

  /** Makes signatures of a translation in the background; resolves when they are there. */
  sign(id: number): Promise<void> {
    let signed = this.wanted.get(id);
    if (!signed) {
      signed = this.signing = this.signing
        .then(() => inBulk(() => this.make(id)))
        .finally(() => this.wanted.delete(id));
      this.wanted.set(id, signed);
    }
    return signed;
  }

  /** Resolves when what is running has come to an end. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.signing;
  }

  private of({ id, version }: Version): TextSignatures | null {
    const signatures = this.signatures.get(String(id));
    return signatures?.version === version ? signatures : null;
  }

  private async make(id: number): Promise<void> {
    if (this.stopped) return;
    const begun = performance.now();
    try {
      // The version is read first: what is written meanwhile leads to a later one.
      const translation = await this.translations.get(id);
      if (!translation || this.of(translation)) return;
      const units = await this.units.texts(id);
      const signatures = new TextSignatures(translation.version, units.length);
      for (let at = 0; at < units.length; at += STRETCH) {
        for (const unit of units.slice(at, at + STRETCH)) signatures.add(unit);
        await breath();
      }
      this.signatures.set(String(id), signatures, signatures.size);
    } catch (error) {
      // The next search asks for them again.
      logger.warn({ err: error, translation: id }, 'texts could not be indexed');
    }
    // Others may work at least half of the time.
    if (this.wanted.size > 1) await pause(performance.now() - begun);
  }
}
