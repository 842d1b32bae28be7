import type { EngineDefinition } from '../../domain/machinery/engine';
import { base, field, list, strings } from './responses';

/** https://cloud.google.com/translate/docs/reference/rest/v2 */
export const google: EngineDefinition = {
  id: 'google-translate',
  markup: 'html',
  quality: 90,
  maxTexts: 100,
  maxChars: 5_000,
  open(settings, http) {
    const url = base(settings['url']!).slice(0, -1);
    // A header keeps the key out of URLs, and therefore out of logs.
    const headers = { 'x-goog-api-key': settings['key']! };
    return {
      async languages() {
        const answer = await http({ url: `${url}/languages`, headers });
        const codes = strings(list(field(field(answer, 'data'), 'languages')).map((l) => field(l, 'language')));
        return { sources: codes, targets: codes };
      },
      async translate(texts, source, target) {
        const answer = await http({
          url,
          method: 'POST',
          headers,
          json: { q: texts, source, target, format: 'html' },
        });
        return strings(list(field(field(answer, 'data'), 'translations')).map((t) => field(t, 'translatedText')));
      },
    };
  },
};
