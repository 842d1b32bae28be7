import type { Parts } from './parts';

/** Removes the translations of a component that is gone, with all that belongs to their strings. Repeatable. */
export async function removeComponent(parts: Parts, id: number): Promise<void> {
  for (const translation of await parts.translations.ofComponent(id)) {
    await parts.announcer.deleted(translation);
    await parts.translations.remove(translation.id);
  }
  await parts.units.removeOfComponent(id);
  await parts.suggestions.removeOfComponent(id);
  await parts.comments.removeOfComponent(id);
  await parts.removals.removeOfComponent(id);
}
