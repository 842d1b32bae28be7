import { metricsText } from '@parlance/telemetry';
import { lookupsDuring } from '@parlance/testing';
import { Links } from '../../responses/links';
import type { Call } from '../../routing/call';
import { listUnits } from './pages';

/** A translation without strings in a version that a write changes. */
function start() {
  const stored = { version: 1 };
  const answers: string[] = [];
  const translation = {
    listUnits: async ({ knownVersion }: { knownVersion: number }) => {
      const unchanged = knownVersion === stored.version;
      answers.push(unchanged ? 'unchanged' : `version ${stored.version}`);
      return { units: [], total: 0, version: stored.version, unchanged };
    },
  };
  const call = {
    query: new URLSearchParams(),
    url: 'https://example.org/api/translations/a/b/cs/units/',
    links: new Links('https://example.org'),
    translationKey: { id: 11 },
    options: {},
    clients: { translation },
    directory: { componentsById: async () => new Map() },
  } as unknown as Call;
  return { stored, answers, list: () => listUnits(call) };
}

describe('listUnits', () => {
  it('a page of strings is a hit while the translation has the version of the cached page', async () => {
    const { stored, answers, list } = start();
    expect(await lookupsDuring(metricsText, 'unit-pages', list)).toEqual({ hits: 0, misses: 1 });
    expect(await lookupsDuring(metricsText, 'unit-pages', list)).toEqual({ hits: 1, misses: 0 });
    stored.version = 2;
    expect(await lookupsDuring(metricsText, 'unit-pages', list)).toEqual({ hits: 0, misses: 1 });
    expect(answers).toEqual(['version 1', 'unchanged', 'version 2']);
  });
});
