import { EngineError, type EngineDefinition } from '../../domain/machinery/engine';
import { base, field, list, strings } from './responses';

const VERSION = 'api-version=3.0';

/** https://learn.microsoft.com/azure/ai-services/translator/text-translation/reference/v3/reference */
export const azure: EngineDefinition = {
  id: 'microsoft-translator',
  markup: 'html',
  quality: 88,
  maxTexts: 100,
  maxChars: 40_000,
  open(settings, http) {
    const url = base(settings['base_url']!);
    const headers = {
      'ocp-apim-subscription-key': settings['key']!,
      ...(settings['region'] ? { 'ocp-apim-subscription-region': settings['region'] } : {}),
    };
    return {
      async languages() {
        const found = field(
          await http({ url: `${url}languages?${VERSION}&scope=translation`, headers }),
          'translation',
        );
        if (typeof found !== 'object' || found === null) throw new EngineError('The response lists no languages.');
        const codes = Object.keys(found);
        return { sources: codes, targets: codes };
      },
      async translate(texts, source, target) {
        const query = new URLSearchParams({ from: source, to: target, textType: 'html' });
        const answer = await http({
          url: `${url}translate?${VERSION}&${query}`,
          method: 'POST',
          headers,
          json: texts.map((Text) => ({ Text })),
        });
        return strings(list(answer).map((item) => field(list(field(item, 'translations'))[0], 'text')));
      },
    };
  },
};
