import { fieldsOf } from '../../../test/support/memory/world';
import { EngineError, type EngineRequest } from '../../domain/machinery/engine';
import type { SealedSettings } from '../../domain/machinery/ports';
import { changeSettings, maskedSettings, missingEngines, openEngines, type EngineSettingsRequest } from './settings';

/** Settings of one project in memory; engines answer, unless they fail. */
function start() {
  let stored: SealedSettings = { services: {}, version: 0 };
  const state = { fails: false, rival: false };
  const requests: EngineRequest[] = [];
  const deps = {
    store: {
      get: async () => structuredClone(stored),
      put: async (_project: number, services: Record<string, string>, version: number) => {
        if (state.rival) {
          state.rival = false;
          stored = { services: { ...stored.services, deepl: 'sealed:{"key":"other"}' }, version: stored.version + 1 };
        }
        if (stored.version !== version) return false;
        stored = { services, version: version + 1 };
        return true;
      },
      remove: async () => undefined,
    },
    secrets: { seal: (text: string) => `sealed:${text}`, open: (sealed: string) => sealed.replace('sealed:', '') },
    http: () => async (request: EngineRequest) => {
      requests.push(request);
      if (state.fails) throw new EngineError('The engine rejected the key.');
      return [];
    },
  };
  const change = (kind: 'add' | 'set' | 'replace', ...given: EngineSettingsRequest[]) =>
    changeSettings(deps, 1, kind, given);
  const services = () => Object.keys(stored.services);
  return { deps, state, requests, change, services, sealed: () => stored.services };
}
const libre = (
  configuration: Record<string, unknown> | undefined = { url: 'https://mt.example.com/', key: 'secret' },
) => ({
  service: 'libretranslate',
  configuration,
});

describe('changeSettings', () => {
  it('new settings are tested with a request to the engine, then stored sealed', async () => {
    const { requests, change, sealed } = start();
    await change('add', libre());
    expect(requests).toMatchObject([{ url: 'https://mt.example.com/languages' }]);
    expect(sealed()['libretranslate']).toMatch(/^sealed:.*secret/);
  });

  it('settings that the engine rejects are not stored', async () => {
    const { state, change, services } = start();
    state.fails = true;
    expect(await fieldsOf(change('add', libre()))).toEqual(['configuration:invalid']);
    expect(services()).toEqual([]);
  });

  it('an engine is added once, but can be set again', async () => {
    const { change } = start();
    await change('add', libre());
    expect(await fieldsOf(change('add', libre()))).toEqual(['service:unique']);
    await expect(change('set', libre())).resolves.toHaveLength(1);
  });

  it('setting an engine without a configuration removes it', async () => {
    const { change, services } = start();
    await change('add', libre());
    await change('set', { service: 'libretranslate', configuration: undefined });
    expect(services()).toEqual([]);
  });

  it('a replacement removes the other engines', async () => {
    const { change, services } = start();
    await change('add', libre());
    await change('replace');
    expect(services()).toEqual([]);
  });

  it.each([
    ['add', '', 'service:required'],
    ['add', 'nope', 'service:does_not_exist'],
    ['replace', 'nope', 'configuration:does_not_exist'],
  ] as const)('%s refuses the engine "%s"', async (kind, service, problem) => {
    expect(await fieldsOf(start().change(kind, { service, configuration: {} }))).toEqual([problem]);
  });

  it('a missing setting is a problem of the configuration', async () => {
    expect(await fieldsOf(start().change('add', libre({})))).toContain('configuration:required');
  });

  it('settings that changed meanwhile are read again', async () => {
    const { state, change, services } = start();
    state.rival = true;
    await change('add', libre());
    expect(services().sort()).toEqual(['deepl', 'libretranslate']);
  });
});

it('settings are shown without their secrets, and masked secrets keep their value', async () => {
  const { deps, change, sealed } = start();
  await change('add', libre());
  const [shown] = await maskedSettings(deps, 1);
  expect(shown).toMatchObject({ service: 'libretranslate', configuration: { url: 'https://mt.example.com/' } });
  expect(JSON.stringify(shown)).not.toContain('secret');
  await change('set', shown!);
  expect(sealed()['libretranslate']).toContain('secret');
});

it('engines without settings are missing and not opened; the memory needs none', async () => {
  const { deps, change } = start();
  await change('add', libre());
  const wanted = ['libretranslate', 'deepl', 'nope', 'weblate-translation-memory'];
  expect(await missingEngines(deps, 1, wanted)).toEqual(['deepl', 'nope']);
  expect((await openEngines(deps, 1, wanted)).map(({ definition }) => definition.id)).toEqual(['libretranslate']);
});
