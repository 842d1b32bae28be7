import { actionsIn, po, UseCaseWorld } from '../../../test/support/memory/world';
import { Action } from '../change-events';
import { commitPending, signatureOf } from './commit-pending';

let world: UseCaseWorld;
beforeEach(async () => {
  world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '', Two: '' }), 'po/de.po': 'not a PO file' });
});
afterEach(() => world.close());

const commitNow = () => world.run(1, (work) => commitPending(world.deps, work));

describe('committing pending edits', () => {
  it('a commit is created for each author, and edits are marked as committed after the commits are saved', async () => {
    await world.imported(1);
    const cs = world.translations.add(1, 'cs', 'po/cs.po');
    world.translations.addEdit(cs, 'One', 'jedna', 'ann');
    world.translations.addEdit(cs, 'Two', 'dvě', 'bob');
    expect(await commitNow()).toBe('');
    expect(await world.read(1, 'po/cs.po')).toContain('jedna');
    const { head, ahead, scanned, maintained } = await world.repository(1);
    expect({ ahead, scanned, maintained }).toEqual({ ahead: 2, scanned: head, maintained: head });
    expect(actionsIn(world.effects)).toEqual([Action.committed, Action.committed]);
    const { list } = world.effects;
    expect(list.indexOf('save commits')).toBeLessThan(list.indexOf('mark edits as committed'));
    expect(world.translations.edits).toEqual([]);
    // The translation service rendered the files and does not import them.
    expect(world.translations.imports).toEqual([]);
  });

  it('edits stay pending while their file is missing or cannot be parsed; the others are committed', async () => {
    await world.imported(1);
    const [cs, de, fr] = (['cs', 'de', 'fr'] as const).map((code) => world.translations.add(1, code, `po/${code}.po`));
    for (const translation of [cs!, de!, fr!]) world.translations.addEdit(translation, 'One', 'x');
    await commitNow();
    expect(world.translations.committed.map(({ translationId }) => translationId)).toEqual([cs!.id]);
    expect(world.translations.edits.map(({ translation }) => translation.languageCode)).toEqual(['de', 'fr']);
    expect(world.log.filter((line) => line.includes('stay pending'))).toHaveLength(2);
  });

  it('edits that a file cannot represent wait and are named in the warning', async () => {
    await world.imported(1);
    const cs = world.translations.add(1, 'cs', 'po/cs.po');
    world.translations.unwritable.add('Two');
    world.translations.addEdit(cs, 'One', 'jedna');
    world.translations.addEdit(cs, 'Two', 'dvě');
    expect(await commitNow()).toBe('po/cs.po: 1 edit cannot be written to the file and waits.');
    expect(world.translations.edits).toHaveLength(1);
  });

  it('an edit that the file already contains needs no commit', async () => {
    await world.imported(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', '');
    const { head } = await world.repository(1);
    await commitNow();
    expect((await world.repository(1)).head).toBe(head);
    expect(world.translations.committed).toMatchObject([{ commit: head }]);
    expect(world.effects.events).toEqual([]);
  });

  it('edits of a linked component are committed, and other components of the file import it', async () => {
    await world.imported(1);
    await world.linked(2, 1);
    world.translations.add(1, 'cs', 'po/cs.po');
    world.translations.addEdit(world.translations.add(2, 'cs', 'po/cs.po'), 'One', 'jedna');
    await commitNow();
    expect(await world.read(1, 'po/cs.po')).toContain('jedna');
    expect(world.translations.imports.map(({ component, paths }) => [component, paths])).toContainEqual([
      1,
      ['po/cs.po'],
    ]);
  });

  it('edits that the commit policy withholds stay pending', async () => {
    const component = await world.imported(1);
    component.project.commitPolicy = 2;
    world.translations.withholds = true;
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    await commitNow();
    expect(world.translations.edits).toHaveLength(1);
    expect((await world.repository(1)).ahead).toBe(0);
  });

  it('an author without a name or address commits with those of the site', () => {
    const site = { name: 'Site', email: 'site@example.org', timeMs: 5 };
    const author = { userId: 1, username: '', fullName: '', email: '' };
    expect(signatureOf(null, site)).toEqual(site);
    expect(signatureOf(author, site)).toEqual(site);
    expect(signatureOf({ ...author, username: 'ann' }, site)).toEqual({ ...site, name: 'ann' });
  });
});
