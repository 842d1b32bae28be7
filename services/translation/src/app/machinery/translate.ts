import { counter } from '@parlance/telemetry';
import { EngineError, type Engine, type EngineDefinition } from '../../domain/machinery/engine';
import { engineLanguage } from '../../domain/machinery/languages';
import { protect } from '../../domain/machinery/protect';

const characters = counter('parlance_machinery_characters_total');

/**
 * Translates texts with an engine, in batches within its limits. The result is null for a text whose placeholders the engine lost, and
 * for all texts if the engine does not support a language.
 * @throws EngineError
 */
export async function translateTexts(
  definition: EngineDefinition,
  engine: Engine,
  texts: readonly string[],
  languages: { source: string; target: string },
): Promise<(string | null)[]> {
  const known = await engine.languages();
  const source = known ? engineLanguage(known.sources, languages.source) : languages.source;
  const target = known ? engineLanguage(known.targets, languages.target) : languages.target;
  if (!source || !target) return texts.map(() => null);
  const sent = texts.map((text) => protect(text, definition.markup));
  const results: (string | null)[] = [];
  for (let at = 0; at < sent.length;) {
    const batch = batchFrom(sent, at, definition);
    const answers = await engine.translate(
      batch.map(({ text }) => text),
      source,
      target,
    );
    // After the request, because engines do not charge for failed ones.
    characters.inc(
      { engine: definition.id },
      batch.reduce((sum, { text }) => sum + text.length, 0),
    );
    if (answers.length !== batch.length)
      throw new EngineError(`The response has ${answers.length} texts instead of ${batch.length}.`);
    results.push(...batch.map((text, i) => text.restore(answers[i]!)));
    at += batch.length;
  }
  return results;
}

function batchFrom<T extends { text: string }>(texts: readonly T[], at: number, limits: EngineDefinition): T[] {
  const batch: T[] = [];
  let chars = 0;
  for (const text of texts.slice(at, at + limits.maxTexts)) {
    if (batch.length > 0 && chars + text.text.length > limits.maxChars) break;
    batch.push(text);
    chars += text.text.length;
  }
  return batch;
}
