import type { Principal } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { Action } from '../../domain/change';
import { requireContributor } from '../contributors';
import { checkManageRights } from './create-unit';
import type { Parts } from '../parts';
import { changeOf, historyText, numberChanges } from '../history';
import { authorOf, loadUnit } from './update-unit';

/**
 * Removes a string: from one translation of a bilingual component, from all of a monolingual one. The file loses it with the next
 * commit; the history keeps its text. Each step can be repeated: of several callers one has removed it, and what a crash left half done
 * is finished by the next.
 * @throws NOT_FOUND (also when somebody else removed it meanwhile), PERMISSION_DENIED, LOCKED
 */
export async function deleteUnit(parts: Parts, principal: Principal, id: number, generation: string): Promise<void> {
  const { unit, translation, component } = await loadUnit(parts, id, generation);
  checkManageRights(principal, component, translation, 'delete');
  await requireContributor(parts, principal, component);
  if (unit.isSource && component.template === '') {
    throw new ServiceError('PERMISSION_DENIED', { message: 'Source strings of this component come from its files.' });
  }
  const family = unit.isSource ? await parts.units.ofSourceUnit(unit) : [unit];
  const time = parts.now();
  const author = authorOf(principal);
  const changes = family.map((u) => ({
    ...changeOf(u, author, time, Action.stringRemoved, historyText(u.target), historyText(u.target), {
      source: historyText(u.source),
      context: u.context,
    }),
    once: `removed ${u.id}`,
  }));
  await parts.changes.insert(await numberChanges(parts, changes));
  await parts.removals.add(
    family.map((u) => ({
      id: `unit ${u.id}`,
      component: u.component,
      translation: u.translation,
      key: u.key,
      author,
      time,
    })),
  );
  // The one that was asked for goes last: as long as it is there, somebody can finish what was begun.
  await parts.units.removeMany(family.filter((u) => u.id !== id).map((u) => u.id));
  if ((await parts.units.removeMany([id])) === 0) throw new ServiceError('NOT_FOUND');
  if (component.isGlossary) await parts.termsChanged(component.project, unit.isSource ? null : unit.language);
  for (const touched of new Set(family.map((u) => u.translation))) await parts.effects.recountTranslation(touched, []);
}
