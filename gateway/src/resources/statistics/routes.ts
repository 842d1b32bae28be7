import type { catalog, translation as proto } from '@parlance/contracts';
import type { TranslationKey } from '../../directory/translation-key';
import type { Call } from '../../routing/call';
import type { ComponentView } from '../../directory/component-view';
import type { Page } from '../../responses/paging';
import { presentStatistics } from './present';
import { loadCounters } from '../shared';

/** A page of the translations of a component. */
export async function componentTranslations(
  call: Call,
  page: { page: number; pageSize: number },
): Promise<Page<proto.Translation__Output>> {
  const request = { page, componentIds: [call.component.component.id] };
  const answer = await call.clients.translation.listTranslations(request, call.options);
  return { items: answer.translations, total: answer.total };
}

/** The same, without data that changes with every edit. */
export async function componentTranslationKeys(
  call: Call,
  page: { page: number; pageSize: number },
): Promise<Page<TranslationKey>> {
  const { items, total } = await call.directory.translationKeysOf(call.component.component.id, page, call.options);
  return { items: [...items], total };
}

/** Statistics of translations of one component, in the same order. */
export async function translationStatistics(
  call: Call,
  { project, component }: ComponentView,
  items: readonly TranslationKey[],
): Promise<Record<string, unknown>[]> {
  const [numbers, languages] = await Promise.all([
    loadCounters(
      call,
      items.map((t) => ({ kind: 'SCOPE_KIND_TRANSLATION', id: t.id })),
    ),
    call.directory.languagesByCode(items.map((t) => t.languageCode)),
  ]);
  const nameOf = (t: TranslationKey, found: catalog.Language__Output | undefined) =>
    found?.name ?? t.languageName ?? t.languageCode;
  return items.map((t, i) => {
    const place = `${project.slug}/${component.path}/${t.languageCode}/`;
    return presentStatistics(numbers[i]!, {
      name: nameOf(t, languages.get(t.languageCode)),
      code: t.languageCode,
      url: call.links.web(`projects/${place}`),
      translateUrl: call.links.web(`translate/${place}`),
      review: t.isSource ? project.sourceReview : project.translationReview,
    });
  });
}
