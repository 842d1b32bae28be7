import type {
  Announcer,
  CommentStore,
  ContentGenerations,
  FencingTokens,
  RemovalStore,
  SuggestionStore,
  TranslationReader,
  TranslationWriter,
  UnitRemover,
} from '../domain/ports';

export interface RemoveComponentDeps {
  translations: Pick<TranslationReader, 'ofComponent'> & Pick<TranslationWriter, 'remove'>;
  announcer: Pick<Announcer, 'deleted'>;
  units: Pick<UnitRemover, 'beginRemoval' | 'removeUnlisted'>;
  suggestions: Pick<SuggestionStore, 'removeOfComponent'>;
  comments: Pick<CommentStore, 'removeOfComponent'>;
  removals: Pick<RemovalStore, 'removeOfComponent'>;
  fencingTokens: Pick<FencingTokens, 'removeOfComponent'>;
  contents: ContentGenerations;
}

/** Removes the translations of a deleted component with their strings, suggestions and comments. Idempotent. */
export async function removeComponent(deps: RemoveComponentDeps, id: number): Promise<void> {
  const translations = await deps.translations.ofComponent(id);
  for (const translation of translations) {
    await deps.announcer.deleted(translation);
    await deps.units.beginRemoval(translation);
    await deps.translations.remove(translation.id);
  }
  await deps.units.removeUnlisted(id);
  await deps.suggestions.removeOfComponent(id);
  await deps.comments.removeOfComponent(id);
  await deps.removals.removeOfComponent(id);
  await deps.fencingTokens.removeOfComponent(id);
  await deps.contents.changed(translations);
}
