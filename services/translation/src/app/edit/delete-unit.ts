import type { Caller } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { pauseAfter } from '@parlance/store-kit';
import { Action } from '../../domain/change';
import type { Component } from '../../domain/component';
import { removalIdOf, type Removal } from '../../domain/pending';
import type { Author, Unit } from '../../domain/unit';
import { requireContributor, type ContributorDeps } from '../contributors';
import { checkManageRights } from './create-unit';
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
 * Removes a string: from one translation of a bilingual component, with its source string when no other has it; a source string from
 * all translations. The file loses it with the next commit; the history keeps its text. Each step can be repeated: of several callers
 * one has removed it, and what a crash left half done is finished by the next.
 * @throws NOT_FOUND (also when somebody else removed it meanwhile), PERMISSION_DENIED, LOCKED
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

  /** @returns whether it was this caller who removed it */
  async ofSource(source: Unit): Promise<boolean> {
    await this.all(await this.translationsOf(source));
    // It goes last: as long as it is there, somebody can finish what was begun.
    if (!(await this.one(source))) return false;
    const newcomers = await this.translationsOf(source);
    if (this.bilingual) await keepSources(this.deps, this.component, newcomers, this.author);
    else await this.all(newcomers);
    return true;
  }

  /** @returns whether it was this caller who removed it */
  async ofTarget(unit: Unit): Promise<boolean> {
    if (!(await this.one(unit))) return false;
    const source = await this.deps.units.get(unit.sourceUnit);
    if (!source?.isSource || (await this.translationsOf(source)).length > 0) return true;
    if (await this.one(source))
      await keepSources(this.deps, this.component, await this.translationsOf(source), this.author);
    return true;
  }

  private async translationsOf(source: Unit): Promise<Unit[]> {
    return (await this.deps.units.ofSourceUnit(source)).filter((unit) => !unit.isSource);
  }

  private async all(units: readonly Unit[]): Promise<void> {
    await Promise.all(units.map((unit) => this.one(unit)));
  }

  /** @returns whether it was this caller who removed it */
  private async one(first: Unit): Promise<boolean> {
    const { deps, author } = this;
    const { id } = first;
    const time = deps.now();
    // A commit that comes before the unit is gone leaves it alone.
    await deps.removals.add(this.leaving(first, time));
    let unit: Unit | null = first;
    for (let attempt = 1; unit; attempt++) {
      const text = historyText(unit.target);
      const details = { source: historyText(unit.source), context: unit.context };
      const change = changeOf(unit, author, time, Action.stringRemoved, text, text, details);
      if (await removeUnit(deps, { unit, change }, { author: null, time })) return true;
      await pauseAfter(attempt);
      unit = await deps.units.get(id);
    }
    return false;
  }

  /** What files lose with a string. Source strings of a bilingual component lie in none, but the one for new translations may name them. */
  private leaving({ id, component, translation, key, isSource }: Unit, time: number): Removal[] {
    const removal = { id: removalIdOf(id), component, translation, key, author: this.author, time };
    if (!isSource || !this.bilingual) return [removal];
    return this.component.newBase === '' ? [] : [{ ...removal, ofBase: true }];
  }
}
