import type { Permission } from '@parlance/access';
import { Action } from '../../domain/change';
import { gettextFile, uploadRequest, uploadWorld } from '../../../test/support/memory/uploads';
import { fieldsOf, reasonOf } from '../../../test/support/memory/world';
import { uploadFile } from './upload-file';
import type { UploadRequest } from './upload-rules';

const allPermissions: Permission[] = [
  'upload.perform',
  'upload.authorship',
  'unit.edit',
  'unit.add',
  'suggestion.add',
  'component.edit',
];

function start(settings = {}) {
  const { world, deps, replaced } = uploadWorld(settings);
  world.string(1, 7, 'Hello');
  const ana = world.user(3, allPermissions);
  const run = (request: Partial<UploadRequest> = {}, caller = ana) =>
    uploadFile(deps, caller, uploadRequest({ bytes: gettextFile({ Hello: 'Ahoj' }), ...request }), '');
  return { world, deps, replaced, ana, run };
}

describe('uploadFile', () => {
  it('the history gets one entry for the upload, after those of its strings', async () => {
    const { world, run } = start();
    expect(await run()).toEqual({ accepted: 1, skipped: 0, notFound: 0, total: 1 });
    expect(world.changes.map(({ action }) => action)).toEqual([Action.targetUploaded, Action.fileUploaded]);
    expect(world.changes[1]).toMatchObject({
      translation: 11,
      user: 3,
      details: { method: 'translate', accepted: 1, skipped: 0, not_found: 0, total: 1 },
    });
    expect(world.effects.at(-1)).toBe('announce translation 11');
  });

  it.each([
    ['translate', 'store unit 7'],
    ['suggest', 'store suggestion 1'],
  ])('the method "%s" decides what becomes of the texts', async (method, effect) => {
    const { world, run } = start();
    await run({ method });
    expect(world.effects[0]).toBe(effect);
  });

  it.each([
    ['', []],
    ['max-length:2', [10, 11]],
  ])('an upload during which the check flags become "%s" reruns the checks of %j', async (checkFlags, translations) => {
    const { world, deps, run } = start();
    const { now } = deps;
    // The time of the upload is read after the settings.
    deps.now = () => {
      world.components.set(1, { ...world.components.get(1)!, checkFlags });
      return now();
    };
    await run();
    expect((await world.translations.listToRerun()).map(({ translation }) => translation.id)).toEqual(translations);
  });

  it('"add" adds strings and "replace" replaces the file', async () => {
    const { world, replaced, run } = start();
    expect(await run({ method: 'add', bytes: gettextFile({ Bye: 'Sbohem' }) })).toMatchObject({ accepted: 1 });
    expect(await world.units.ofTranslation(11)).toHaveLength(2);
    await run({ method: 'replace' });
    expect(replaced).toHaveLength(1);
  });

  it('the file is read even if other fields are invalid: the answer names all of them', async () => {
    const problems = [{ attr: 'x', code: 'invalid', detail: 'No.' }];
    const { run } = start();
    expect(await fieldsOf(run({ method: 'no', bytes: Buffer.alloc(0), problems }))).toEqual([
      'x:invalid',
      'method:invalid_choice',
      'file:empty',
    ]);
  });

  it('an invalid upload writes nothing', async () => {
    const { world, run } = start();
    await fieldsOf(run({ bytes: Buffer.from('msgid "a') }));
    expect([world.effects, world.changes]).toEqual([[], []]);
  });

  it('other plural forms than those of the translation are refused', async () => {
    const { run } = start();
    const header = 'Plural-Forms: nplurals=2; plural=n != 1;\\n';
    expect(await fieldsOf(run({ bytes: gettextFile({ Hello: 'Ahoj' }, header) }))).toEqual(['file:invalid']);
  });

  it('permissions and the agreement are required before the file is looked at', async () => {
    const { world, run } = start({ agreement: 'Be kind.' });
    const broken = { bytes: Buffer.alloc(0) };
    expect(await reasonOf(run(broken, world.user(4, [])))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(run(broken))).toBe('PERMISSION_DENIED');
    world.agreed.add(3);
    expect(await fieldsOf(run(broken))).toEqual(['file:empty']);
  });

  it('a missing translation is reported', async () => {
    expect(await reasonOf(start().run({ translation: 99 }))).toBe('NOT_FOUND');
  });

  it('a named author with the address of a user is that user, under the given name', async () => {
    const { world, run } = start();
    world.user(5, []);
    await run({ authorName: 'Bob', authorEmail: 'user-5@example.com' });
    const author = { userId: 5, username: 'user-5', fullName: 'Bob' };
    expect((await world.units.get(7))!.edits).toMatchObject([{ author }]);
    expect(world.changes.every((change) => change.author === 5 && change.user === 3)).toBe(true);
  });
});
