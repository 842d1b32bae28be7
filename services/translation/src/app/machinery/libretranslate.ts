import type { EngineDefinition } from '../../domain/machinery/engine';
import { base, field, list, strings } from './responses';

/** https://docs.libretranslate.com/ */
export const libretranslate: EngineDefinition = {
  id: 'libretranslate',
  markup: 'html',
  quality: 89,
  maxTexts: 50,
  maxChars: 5_000,
  open(settings, http) {
    const url = base(settings['url']!);
    return {
      async languages() {
        const languages = list(await http({ url: `${url}languages` }));
        return {
          sources: strings(languages.map((l) => field(l, 'code'))),
          targets: [...new Set(languages.flatMap((l) => strings(list(field(l, 'targets') ?? [field(l, 'code')]))))],
        };
      },
      async translate(texts, source, target) {
        const answer = await http({
          url: `${url}translate`,
          method: 'POST',
          json: { q: texts, source, target, format: 'html', api_key: settings['key'] ?? '' },
        });
        return strings(list(field(answer, 'translatedText')));
      },
    };
  },
};
