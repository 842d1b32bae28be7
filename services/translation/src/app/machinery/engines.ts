import { machineryDefinitions, type MachineryDefinition } from '@parlance/contracts';
import type { EngineDefinition } from '../../domain/machinery/engine';
import { azure } from './azure';
import { deepl } from './deepl';
import { google } from './google';
import { libretranslate } from './libretranslate';
import { openai } from './openai';

const engineBehaviours: readonly EngineDefinition[] = [libretranslate, deepl, google, azure, openai];

/** Name, settings and implementation of an engine. */
export type EngineRow = EngineDefinition & MachineryDefinition;

export const engines: readonly EngineRow[] = engineBehaviours.map((behaviour) => ({
  ...machineryDefinitions.find(({ id }) => id === behaviour.id)!,
  ...behaviour,
}));

export function engineOf(id: string): EngineRow | undefined {
  return engines.find((engine) => engine.id === id);
}
