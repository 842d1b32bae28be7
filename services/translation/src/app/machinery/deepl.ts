import type { EngineDefinition } from '../../domain/machinery/engine';
import { base, field, list, strings } from './responses';

/** https://developers.deepl.com/docs */
export const deepl: EngineDefinition = {
  id: 'deepl',
  markup: 'xml',
  quality: 91,
  maxTexts: 50,
  maxChars: 30_000,
  open(settings, http) {
    const url = base(settings['url']!);
    const headers = { authorization: `DeepL-Auth-Key ${settings['key']}` };
    const codes = async (type: string) =>
      strings(list(await http({ url: `${url}languages?type=${type}`, headers })).map((l) => field(l, 'language')));
    return {
      async languages() {
        return { sources: await codes('source'), targets: await codes('target') };
      },
      async translate(texts, source, target) {
        const answer = await http({
          url: `${url}translate`,
          method: 'POST',
          headers,
          json: {
            text: texts,
            source_lang: source,
            target_lang: target,
            tag_handling: 'xml',
            ignore_tags: ['x'],
            preserve_formatting: true,
          },
        });
        return strings(list(field(answer, 'translations')).map((t) => field(t, 'text')));
      },
    };
  },
};
