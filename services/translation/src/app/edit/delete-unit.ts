import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { LOST_RACE } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { removalIdOf, type Removal } from '../../domain/pending';
import type { Author, Unit } from '../../domain/unit';
import { requireContributor, type ContributorDeps } from '../contributors';
import { checkManageRights } from './create-unit';
import { updateStored } from './contention';
import { keepSources, type InsertStringsDeps } from './insert-strings';
import { changeOf, historyText } from '../history';
import { loadUnit, type LoadUnitDeps } from './load-unit';
import { removeUnit } from './write-units';
import { authorOf } from '../author';
import type { RemovalStore } from '../../domain/ports';

export interface DeleteUnitDeps extends InsertStringsDeps, LoadUnitDeps, ContributorDeps {
  units: InsertStringsDeps['units'];
  removals: Pick<RemovalStore, 'add'>;
}

/**
 * Removes a string: from one translation of a bilingual component, with its source string if it was the last translation; a source string
 * from all translations. The next commit removes it from the file; the history keeps its text. Every step is idempotent: one of several
 * callers succeeds, and the next caller completes an interrupted deletion.
 * @throws NOT_FOUND (also when another caller removed it), PERMISSION_DENIED, LOCKED
 */
export async function deleteUnit(deps: DeleteUnitDeps, caller: Caller, id: number, generation: string): Promise<void> {
  const { unit, translation, component } = await loadUnit(deps, id, generation);
  checkManageRights(caller, component, translation, 'delete');
  await requireContributor(deps, caller, component);
  const deletion = new Deletion(deps, component, authorOf(caller));
  if (!(await (unit.isSource ? deletion.ofSource(unit) : deletion.ofTarget(unit)))) throw new ServiceError('NOT_FOUND');
  if (component.isGlossary) await deps.glossary.termsChanged(component.project, unit.isSource ? null : unit.language);
}

class Deletion {
  private readonly bilingual: boolean;

  constructor(
    private readonly deps: DeleteUnitDeps,
    private readonly component: Component,
    private readonly author: Author,
  ) {
    this.bilingual = component.template === '';
  }

  /** @returns whether this caller removed it */
  async ofSource(source: Unit): Promise<boolean> {
    await this.removeAll(await this.translationsOf(source));
    // Removed last: while it exists, an interrupted deletion can be completed.
    if (!(await this.removeOne(source))) return false;
    const translations = await this.translationsOf(source);
    if (this.bilingual) await keepSources(this.deps, this.component, translations, this.author);
    else await this.removeAll(translations);
    return true;
  }

  /** @returns whether this caller removed it */
  async ofTarget(unit: Unit): Promise<boolean> {
    if (!(await this.removeOne(unit))) return false;
    const source = await this.deps.units.get(unit.sourceUnit);
    if (!source?.isSource || (await this.translationsOf(source)).length > 0) return true;
    if (await this.removeOne(source))
      await keepSources(this.deps, this.component, await this.translationsOf(source), this.author);
    return true;
  }

  private async translationsOf(source: Unit): Promise<Unit[]> {
    return (await this.deps.units.ofSourceUnit(source)).filter((unit) => !unit.isSource);
  }

  private async removeAll(units: readonly Unit[]): Promise<void> {
    await Promise.all(units.map((unit) => this.removeOne(unit)));
  }

  /** @returns whether this caller removed it */
  private async removeOne(first: Unit): Promise<boolean> {
    const { deps, author } = this;
    const time = deps.now();
    // Commits hold the removal back while the unit exists.
    await deps.removals.add(this.removalsFromFile(first, time));
    const remove = async (unit: Unit) => {
      const text = historyText(unit.target);
      const details = { source: historyText(unit.source), context: unit.context };
      const change = changeOf(unit, author, time, Action.stringRemoved, text, text, details);
      return (await removeUnit(deps, { unit, change }, { author: null, time })) || LOST_RACE;
    };
    return (await updateStored(deps, first.id, remove, first)) ?? false;
  }

  /** Removals from files. Source strings of a bilingual component have no file, but `new_base` may contain them. */
  private removalsFromFile({ id, component, translation, key, isSource }: Unit, time: number): Removal[] {
    const removal = { id: removalIdOf(id), component, translation, key, author: this.author, time };
    if (!isSource || !this.bilingual) return [removal];
    return this.component.newBase === '' ? [] : [{ ...removal, ofBase: true }];
  }
}
