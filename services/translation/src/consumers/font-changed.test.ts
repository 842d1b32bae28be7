import { MemoryFontStore, sampleFont } from '../../test/support/memory/font-store';
import type { CopyFontDeps } from '../app/fonts/copy-font';
import { fontChanged } from './font-changed';

it('copies of a deleted project are removed, those of others stay', async () => {
  const fonts = new MemoryFontStore(() => undefined);
  await fonts.put(sampleFont(3));
  await fonts.put(sampleFont(4, { project: 2 }));
  const deps: CopyFontDeps = {
    fonts,
    fontSource: { font: async () => null },
    translations: { markRerun: async () => undefined },
    cacheGeneration: { changed: async () => undefined },
    contextChecks: { scheduleRecheck: () => undefined },
  };
  const handle = fontChanged(deps);
  await handle([{ payloadName: 'projectDeleted', payload: { projectId: 1 } } as never]);
  expect([await fonts.idsOf(1), await fonts.idsOf(2)]).toEqual([[], [4]]);
});
