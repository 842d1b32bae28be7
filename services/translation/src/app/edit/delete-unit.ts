import type { Principal } from '@parlance/access';
import { ServiceError } from '@parlance/errors';
import { randomUUID } from 'node:crypto';
import { Action } from '../../domain/change';
import { requireContributor } from '../contributors';
import { checkManageRights } from './create-unit';
import type { Parts } from '../parts';
import { changeOf, historyText, numberChanges } from '../history';
import { authorOf, loadUnit } from './update-unit';

/**
 * Removes a string: from one translation of a bilingual component, from all of a monolingual one. The file loses it with the next
 * commit; the history keeps its text.
 * @throws NOT_FOUND, PERMISSION_DENIED, LOCKED
 */
export async function deleteUnit(parts: Parts, principal: Principal, id: number, generation: string): Promise<void> {
  const { unit, translation, component } = await loadUnit(parts, id, generation);
  checkManageRights(principal, component, translation, 'delete');
  await requireContributor(parts, principal, component);
  if (unit.isSource && component.template === '') {
    throw new ServiceError('PERMISSION_DENIED', { message: 'Source strings of this component come from its files.' });
  }
  const units = unit.isSource ? await parts.units.ofSourceUnit(unit) : [unit];
  const time = parts.now();
  const author = authorOf(principal);
  const changes = units.map((u) =>
    changeOf(u, author, time, Action.stringRemoved, historyText(u.target), historyText(u.target), {
      source: historyText(u.source),
      context: u.context,
    }),
  );
  await parts.changes.insert(await numberChanges(parts, changes));
  await parts.removals.add(
    units.map((u) => ({
      id: randomUUID(),
      component: u.component,
      translation: u.translation,
      key: u.key,
      author,
      time,
    })),
  );
  await parts.units.removeMany(units.map((u) => u.id));
  if (component.isGlossary) await parts.termsChanged(component.project, unit.isSource ? null : unit.language);
  for (const touched of new Set(units.map((u) => u.translation))) await parts.effects.recountTranslation(touched, []);
}
