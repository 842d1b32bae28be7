import { Action } from '../../domain/change';
import { uploadWorld } from '../../../test/support/memory/uploads';
import { fieldsOf } from '../../../test/support/memory/world';
import { matchTexts, uploadTexts } from './upload-texts';
import type { UploadRequest } from './upload-rules';

function start(fields = {}, settings = {}) {
  const { world, deps, upload, parse, czech } = uploadWorld(settings);
  world.string(1, 7, 'Hello', fields);
  const ana = world.user(3, ['upload.perform', 'unit.edit', 'unit.review', 'upload.overwrite', 'upload.authorship']);
  const run = (texts: Record<string, string>, request: Partial<UploadRequest> = {}, caller = ana) =>
    uploadTexts(deps, upload(caller, request), parse(texts));
  return { world, deps, upload, parse, ana, czech, run };
}

describe('uploadTexts', () => {
  it('a text becomes a pending edit of the author, with history; the uploader becomes a contributor', async () => {
    const { world, run } = start();
    expect(await run({ Hello: 'Ahoj' })).toEqual({ accepted: 1, skipped: 0, notFound: 0, total: 1 });
    expect(await world.units.get(7)).toMatchObject({ target: ['Ahoj'], state: 20, edits: [{ author: { userId: 3 } }] });
    expect(world.changes).toMatchObject([{ action: Action.targetUploaded, target: 'Ahoj', old: '', user: 3 }]);
    expect(world.effects).toEqual(['store unit 7', 'settle unit 7', 'record contributor']);
  });

  it('the named author wrote the text, the uploader acted, and the history names the author', async () => {
    const { world, run } = start();
    await run({ Hello: 'Ahoj' }, { authorName: 'Bob', authorEmail: 'bob@example.com' });
    expect(world.changes).toMatchObject([{ user: 3, author: 0, details: { author: 'Bob' } }]);
    expect((await world.units.get(7))!.edits).toMatchObject([{ author: { fullName: 'Bob' } }]);
  });

  it('a bot does not become a contributor', async () => {
    const { world, run } = start();
    await run({ Hello: 'Ahoj' }, {}, world.user(4, ['upload.perform', 'unit.edit'], { isBot: true }));
    expect(world.effects).not.toContain('record contributor');
  });

  it('an equal text is skipped, so that a second upload of a file writes nothing', async () => {
    const { world, run } = start();
    await run({ Hello: 'Ahoj' });
    world.effects.length = 0;
    expect(await run({ Hello: 'Ahoj' })).toMatchObject({ accepted: 0, skipped: 1 });
    expect(world.effects).toEqual([]);
  });

  it.each([
    ['an untranslated string', 0, '', true],
    ['a string that needs editing', 10, '', true],
    ['a translated string', 20, '', false],
    ['a translated string', 20, 'replace-translated', true],
    ['an approved string', 30, 'replace-translated', false],
    ['an approved string', 30, 'replace-approved', true],
    ['a read-only string', 100, 'replace-approved', false],
  ])('%s (state %i) with the conflict rule "%s" is replaced: %s', async (_, state, conflicts, replaced) => {
    const { world, run } = start({ target: ['Nazdar'], state }, { translationReview: true });
    expect(await run({ Hello: 'Ahoj' }, { conflicts })).toMatchObject({ accepted: Number(replaced) });
    expect((await world.units.get(7))!.target).toEqual([replaced ? 'Ahoj' : 'Nazdar']);
  });

  it.each([
    ['', undefined],
    ['process', 10],
    ['approve', 20],
  ])('an entry that needs editing, with the fuzzy rule "%s", is stored with the state %s', async (fuzzy, state) => {
    const { world, run } = start();
    const result = await run({ Hello: '~Ahoj' }, { fuzzy });
    expect(result).toEqual({ accepted: state === undefined ? 0 : 1, skipped: 0, notFound: 0, total: 1 });
    expect((await world.units.get(7))!.state).toBe(state ?? 0);
  });

  it('entries without a string are counted, blank entries are only part of the total', async () => {
    const { run } = start();
    expect(await run({ Hello: '', Other: 'Jiný' })).toEqual({ accepted: 0, skipped: 0, notFound: 1, total: 2 });
  });

  it('a text with another number of plural forms is skipped', async () => {
    const { run } = start({ target: ['', '', ''], source: ['Hello', 'Hellos'] });
    expect(await run({ Hello: 'Ahoj' })).toMatchObject({ accepted: 0 });
  });

  it('a text that loses a race is decided again on the stored unit', async () => {
    const { world, run } = start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, comments: 2 });
    };
    expect(await run({ Hello: 'Ahoj' })).toMatchObject({ accepted: 1 });
    expect(await world.units.get(7)).toMatchObject({ target: ['Ahoj'], comments: 2, version: 5 });
  });

  it('a text that loses a race to a translation is skipped', async () => {
    const { world, run } = start();
    world.units.rival = async () => {
      world.units.put({ ...(await world.units.get(7))!, version: 4, target: ['Nazdar'], state: 20 });
    };
    expect(await run({ Hello: 'Ahoj' })).toMatchObject({ accepted: 0, skipped: 1 });
    expect((await world.units.get(7))!.target).toEqual(['Nazdar']);
  });
});

describe('matchTexts', () => {
  it('the first of several entries of a string is used', async () => {
    const { world, upload, parse, ana } = start();
    const file = parse({ Hello: 'Ahoj' });
    const twice = {
      ...file,
      batches: async function* () {
        for (let i = 0; i < 2; i++) yield* file.batches();
      },
    };
    const result = { accepted: 0, skipped: 0, notFound: 0, total: 2 };
    const matched = await matchTexts(upload(ana), twice, await world.units.ofTranslation(11), result);
    expect(matched).toEqual([{ unit: 7, target: ['Ahoj'], state: 20 }]);
    expect(result.skipped).toBe(1);
  });

  it('control characters are refused, unless the string contains them already', async () => {
    const { world, run } = start();
    expect(await fieldsOf(run({ Hello: 'Ahoj\u0007' }))).toEqual(['file:invalid']);
    expect(world.effects).toEqual([]);
    const bell = start({ target: ['Zvonek\u0007'] });
    expect(await bell.run({ Hello: 'Ahoj\u0007' })).toMatchObject({ accepted: 1 });
  });
});
