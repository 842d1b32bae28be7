import { Action } from '../../domain/change';
import { gettextFile, uploadWorld } from '../../../test/support/memory/uploads';
import { replaceFile, updateFromTemplate } from './upload-whole-file';

function start() {
  const { world, deps, upload, parse, replaced, source } = uploadWorld({ newBase: 'p.pot' });
  const ana = world.user(3, ['upload.perform', 'component.edit']);
  const log = {
    ...deps,
    repositoryFiles: {
      replaceFile: async (file: (typeof replaced)[number]) => {
        replaced.push(file);
        world.effects.push('replace file');
      },
    },
  };
  return { world, deps: log, upload, parse, replaced, source, ana };
}
const bytes = gettextFile({ Hello: 'Ahoj' });

describe('whole files', () => {
  it('"replace" commits the bytes as they are, then records the replacement', async () => {
    const { world, deps, upload, parse, replaced, ana } = start();
    const result = await replaceFile(deps, upload(ana, { method: 'replace' }), parse({ Hello: 'Ahoj' }), bytes);
    expect(result).toEqual({ accepted: 1, skipped: 0, notFound: 0, total: 1 });
    expect(replaced).toMatchObject([
      { component: 1, path: 'cs.po', bytes, updateTranslations: false, author: { userId: 3 } },
    ]);
    expect(world.changes).toMatchObject([
      { action: Action.fileReplaced, translation: 11, unit: 0, user: 3, details: { filename: 'cs.po' } },
    ]);
    expect(world.effects).toEqual(['replace file', 'announce translation 11']);
  });

  it('"source" replaces the base file and updates every translation', async () => {
    const { world, deps, upload, parse, replaced, source, ana } = start();
    await updateFromTemplate(deps, upload(ana, { method: 'source' }, source), parse({ Hello: '' }, source), bytes);
    expect(replaced).toMatchObject([{ path: 'p.pot', updateTranslations: true }]);
    expect(world.changes).toMatchObject([{ action: Action.sourceUploaded, translation: 10 }]);
  });

  it('control characters are allowed, as in files of the repository', async () => {
    const { deps, upload, parse, replaced, ana } = start();
    await replaceFile(deps, upload(ana, { method: 'replace' }), parse({ Hello: 'Ahoj\u0007' }), bytes);
    expect(replaced).toHaveLength(1);
  });

  it('a file that the repository refuses is not in the history', async () => {
    const { world, deps, upload, parse, ana } = start();
    const refused = new Error('refused');
    const failing = { ...deps, repositoryFiles: { replaceFile: () => Promise.reject(refused) } };
    const replacing = replaceFile(failing, upload(ana, { method: 'replace' }), parse({ Hello: 'Ahoj' }), bytes);
    await expect(replacing).rejects.toBe(refused);
    expect(world.changes).toEqual([]);
  });
});
