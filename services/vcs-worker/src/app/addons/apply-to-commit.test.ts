import { addonFiles, fileOf, installed } from '../../../test/support/memory/addon-files';
import { componentOf } from '../../../test/support/memory/world';
import type { StoredAddon } from '../../domain/addon';
import { applyAddonsToCommit } from './apply-to-commit';

const GENERATE = 'weblate.generate.generate';
const generator = (id: number, filename: string, template: string, more: Partial<StoredAddon> = {}): StoredAddon => ({
  id,
  name: GENERATE,
  componentId: 1,
  projectId: 0,
  configuration: { filename, template },
  ...more,
});

/** Applies add-ons to a commit of the Czech translation of component 1. */
async function apply(addons: StoredAddon[], settings: Parameters<typeof componentOf>[1] = {}) {
  const { files, text } = addonFiles(installed(GENERATE), { 'po/cs.po': 'msgid "a"\n' });
  const log: string[] = [];
  const deps = { translations: { get: async () => null }, site: { url: 'https://example.org/', title: 'Site' } };
  await applyAddonsToCommit(deps as unknown as Parameters<typeof applyAddonsToCommit>[0], addons, {
    component: componentOf(1, settings),
    file: fileOf('cs'),
    author: { name: 'Ann', email: 'ann@example.com', timeMs: 0 },
    files,
    log: (line) => void log.push(line),
  });
  return { files, text, log };
}

describe('applyAddonsToCommit', () => {
  it('add-ons change the files of the commit in their order, with the language and the author of the commit', async () => {
    const { text } = await apply([
      generator(1, 'INFO', 'first'),
      generator(2, 'INFO', '{{ language_code }} by {{ author }}'),
    ]);
    expect(await text('INFO')).toBe('cs by Ann <ann@example.com>');
  });

  it('a template that cannot be filled is logged, and the next add-on runs', async () => {
    const { text, log } = await apply([generator(1, 'A', '{{ name|nope }}'), generator(2, 'B', 'b')]);
    expect(log).toHaveLength(1);
    expect(await text('A')).toBeNull();
    expect(await text('B')).toBe('b');
  });

  it('add-ons of other components and of other events do not run', async () => {
    const { files } = await apply([
      generator(1, 'A', 'a', { componentId: 2 }),
      generator(2, 'B', 'b', { componentId: 0, projectId: 9 }),
      { ...generator(3, 'C', 'c'), name: 'weblate.gettext.linguas', configuration: {} },
    ]);
    expect(files.takeChanges()).toEqual([]);
  });

  it('an add-on of a project does not change the repository that belongs to another project', async () => {
    const ofProject = generator(1, 'A', 'a', { componentId: 0, projectId: 1 });
    expect(await (await apply([ofProject])).text('A')).toBe('a');
    const linked = await apply([ofProject], { linkedComponentId: 5, linkedProjectId: 9 });
    expect(await linked.text('A')).toBeNull();
  });
});
