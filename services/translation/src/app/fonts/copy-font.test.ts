import { MemoryFontStore, sampleFont } from '../../../test/support/memory/font-store';
import { StringsWorld } from '../../../test/support/memory/world';
import type { StoredFont } from '../../domain/project-fonts';
import { UnitEvaluatorCache } from '../caches/unit-evaluator-cache';
import { rerunChecks } from '../checks/rerun-checks';
import { CatalogWithFonts } from './catalog-with-fonts';
import { copyFont, type CopyFontDeps } from './copy-font';
import { ProjectFontsCache } from './project-fonts-cache';

const FLAGS = 'max-size:39, font-family:Wide';

/** A string that fits in the built-in font, and the fonts of its project. */
function start() {
  const world = new StringsWorld();
  const { czech } = world.component(1, { checkFlags: FLAGS });
  world.string(1, 7, 'Hello', { target: ['Ahoj'], state: 20, checks: [] });
  const fonts = new MemoryFontStore((effect) => void world.effects.push(effect));
  const projectFonts = new ProjectFontsCache(fonts);
  const catalog = new CatalogWithFonts(
    {
      component: world.deps.catalog.component,
      named: async () => world.components.get(1)!,
      forget: () => undefined,
      forgetAll: () => undefined,
    },
    projectFonts,
  );
  /** Fonts at their owner. */
  const uploaded = new Map<number, StoredFont>();
  const deps: CopyFontDeps = {
    fonts,
    fontSource: { font: async (id) => uploaded.get(id) ?? null },
    translations: world.translations,
    cacheGeneration: { changed: async () => projectFonts.clear() },
    contextChecks: { scheduleRecheck: () => void world.effects.push('schedule checks') },
  };
  const recheck = async () => {
    for (const { translation } of await world.translations.listToRerun())
      await rerunChecks({ ...world.deps, catalog, evaluators: new UnitEvaluatorCache(), projectFonts }, translation);
    return (await world.units.get(7))!.checks;
  };
  return { world, czech, fonts, uploaded, catalog, deps, recheck };
}

describe('copyFont', () => {
  it('an added font is copied before the checks of its project are scheduled, and they measure with it', async () => {
    const { world, uploaded, catalog, deps, recheck } = start();
    expect((await catalog.component(1, ''))!.fonts).toBeUndefined();
    uploaded.set(3, sampleFont(3));
    await copyFont(deps, 1, 3);
    expect(world.effects.filter((effect) => effect.includes('font 3') || effect.includes('schedule'))).toEqual([
      'put font 3',
      'schedule checks',
    ]);
    expect((await catalog.named('', ''))!.fonts!.key).toBe('3');
    expect(await recheck()).toEqual(['max-size']);
  });

  it('without the font, the built-in one counts again', async () => {
    const { uploaded, deps, recheck } = start();
    uploaded.set(3, sampleFont(3));
    await copyFont(deps, 1, 3);
    await recheck();
    uploaded.delete(3);
    await copyFont(deps, 1, 3);
    expect(await recheck()).toEqual([]);
  });

  it('a font that is deleted while it is copied leaves no copy', async () => {
    const { fonts, deps } = start();
    let asked = 0;
    const fontSource = { font: async () => (asked++ === 0 ? sampleFont(3) : null) };
    await copyFont({ ...deps, fontSource }, 1, 3);
    expect(await fonts.idsOf(1)).toEqual([]);
  });

  it('copyFont is idempotent', async () => {
    const { fonts, uploaded, deps } = start();
    uploaded.set(3, sampleFont(3));
    await copyFont(deps, 1, 3);
    await copyFont(deps, 1, 3);
    expect(await fonts.idsOf(1)).toEqual([3]);
    expect(await fonts.idsOf(2)).toEqual([]);
  });
});
