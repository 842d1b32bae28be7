import { rmSync } from 'node:fs';
import { repositoryPerTest, withoutTemplate } from './support/repository';
import { problemsOf, texts, type Started, type World } from './support/world';

describe('changes by upstream', () => {
  let world: World;
  let one: Started;
  /** The component of the current test. */
  let c: number;
  repositoryPerTest((ground) => void ({ world, one, component: c } = ground), withoutTemplate);
  /** The history entry of a kept file. */
  const keptFile = async () => {
    const { payload } = await world.event(
      'changeMade',
      (event) =>
        event.payload.action === 22 &&
        event.payload.componentId === c &&
        event.payload.detailsJson.includes('"conflict":true'),
    );
    return { ...payload, details: JSON.parse(payload.detailsJson) as Record<string, unknown> };
  };

  describe('upstream deletes a file', () => {
    it.each(['rebase', 'merge', 'merge_noff'])(
      'a file with edits that upstream deletes is kept (%s)',
      async (mergeStyle) => {
        await world.component(one, c, { push: world.url, mergeStyle });
        const { id } = world.translation.of('po/cs.po');
        world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
        await world.run(one, 'OPERATION_COMMIT', c);
        world.translation.edit('po/cs.po', 'Two', 'druhá', 'Bob');
        const known = world.translation.conflicts.length;
        world.remote.commit({ 'po/cs.po': null });
        expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
        expect(world.translation.of('po/cs.po').id).toBe(id);
        expect(await keptFile()).toMatchObject({
          translationId: id,
          details: {
            filename: 'po/cs.po',
            strings: 2,
            texts: [
              { source: ['One'], kept: ['první'], upstream: [''] },
              { source: ['Two'], kept: ['druhá'], upstream: ['dvě'] },
            ],
          },
        });
        // A text that upstream had is recorded as a conflict.
        expect(world.translation.conflicts.slice(known)).toMatchObject([
          { translationId: id, source: ['Two'], local: ['druhá'], upstream: ['dvě'] },
        ]);
        expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
        expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'první', Two: 'druhá' }));
        // A later deletion without edits is applied.
        world.remote.commit({ 'po/cs.po': null });
        expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
        expect(() => world.translation.of('po/cs.po')).toThrow();
      },
    );

    it('a file that upstream deletes is kept for edits withheld by the project', async () => {
      await world.component(one, c, { push: world.url });
      world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
      world.catalog.project.commitPolicy = 30;
      world.translation.heldBack = true;
      try {
        world.remote.commit({ 'po/cs.po': null });
        expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
        expect((await keptFile()).details).toMatchObject({ texts: [{ source: ['One'], kept: ['první'] }] });
        // A second pull reports nothing.
        world.remote.commit({ 'README.md': 'y\n' });
        expect(await world.run(one, 'OPERATION_PULL', c)).toMatchObject({ result: true });
        expect(world.translation.of('po/cs.po').texts.get('One')).toBe('první');
      } finally {
        world.translation.heldBack = false;
        world.catalog.project.commitPolicy = 0;
      }
      expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
      expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'první' }));
    });

    it('a file that upstream deletes is kept in a reset that keeps texts', async () => {
      await world.component(one, c, { push: world.url });
      world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
      world.remote.commit({ 'po/cs.po': null });
      expect(await world.run(one, 'OPERATION_RESET_KEEP', c)).toMatchObject({ result: true });
      expect((await keptFile()).details).toMatchObject({ filename: 'po/cs.po', strings: 1 });
      expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
      expect(world.remote.read('po/cs.po').toString()).toBe(texts({ One: 'první' }));
    });

    it('a file that upstream deletes is deleted if it has no edits or is deleted here, too', async () => {
      await world.component(one, c, { push: world.url });
      world.translation.edit('po/de.po', 'One', 'erste', 'Ann');
      await world.run(one, 'OPERATION_COMMIT', c);
      const translationId = world.translation.of('po/de.po').id;
      await one.client.removeLanguage({ componentId: c, translationId }, world.admin);
      world.remote.commit({ 'po/cs.po': null, 'po/de.po': null });
      expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
      for (const path of ['po/cs.po', 'po/de.po']) {
        expect(() => world.translation.of(path)).toThrow();
        expect(() => world.remote.read(path)).toThrow();
      }
    });
  });

  it.each([
    ['a link', 'po/sk.po'],
    ['a submodule', 'po/sk.po'],
    ['a link in place of a folder', 'po'],
  ])('upstream puts %s in the place of a new language', async (what, place) => {
    await world.component(one, c, { push: world.url });
    const settings = { newBase: 'README.po', ...(place === 'po' ? { filemask: 'l10n/po/*.po' } : {}) };
    const path = place === 'po' ? 'l10n/po/sk.po' : place;
    const at = place === 'po' ? 'l10n/po' : place;
    world.remote.commit({ 'README.po': texts() });
    if (what === 'a submodule') world.remote.submodule(at);
    else world.remote.link(at, '../README.md');
    await world.run(one, 'OPERATION_PULL', c);
    world.catalog.put({ ...world.catalog.components.get(c)!, ...settings, id: c });
    const { language_code: problem } = await problemsOf(
      one.client.addLanguage({ componentId: c, languageCode: 'sk' }, world.admin),
    );
    expect(problem).toContain(at);
    expect(problem).toMatch(what === 'a submodule' ? /submodule/ : /symbolic link/);
    expect(() => world.translation.of(path)).toThrow();
    expect(await world.status(one, c)).toMatchObject({ needsPush: false });
  });

  it('upstream adds a file whose name cannot be written back', async () => {
    const name = 'po/a\nl.po';
    world.remote.commit({ [name]: texts() });
    const task = await world.component(one, c, { push: world.url });
    expect(task.resultJson).toBe(`{"component":${c}}`);
    expect(task.log).toContain('po/a\\nl.po: ');
    expect(() => world.translation.of(name)).toThrow();
    expect(world.translation.of('po/cs.po').texts.get('Two')).toBe('dvě');
    const { payload } = await world.change(24, c);
    expect(payload.target).toMatch(/^po\/a\\nl\.po: /);
    world.remote.commit({ [name]: null });
    await world.run(one, 'OPERATION_PULL', c);
    expect(world.translation.imports.at(-1)!.complete).toBe(true);
  });

  describe('upstream removes our commits while the clone is missing', () => {
    it('files can be read although upstream removed our commits while the clone was missing', async () => {
      await world.component(one, c, { push: world.url });
      const [first] = world.remote.log();
      world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
      expect(await world.run(one, 'OPERATION_PUSH', c)).toMatchObject({ result: true });
      const pushed = world.remote.log()[0]!.hash;
      rmSync(one.folder, { recursive: true });
      world.remote.reset(first!.hash);
      world.remote.commit({ 'README.md': 'other\n' });
      world.remote.tidy();
      expect(() => world.remote.log(pushed)).toThrow();
      expect((await one.worker.deps.repositories.ofOwner(c))!.head).toBe(pushed);
      await expect(world.read(one, c, 'po/cs.po')).resolves.toContain('msgid "One"');
    });
  });
});
