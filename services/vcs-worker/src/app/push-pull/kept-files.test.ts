import { componentOf, po, UseCaseWorld } from '../../../test/support/memory/world';
import { language } from '../../../test/support/languages';
import { conflictsOf, keepPendingFiles, keptEvents, localTexts, sameStrings, type KeptFile } from './kept-files';

const component = componentOf(1);
const czech = language('cs');
const file = (texts: Record<string, string>) => Buffer.from(po(texts));
const texts = (before: Buffer | null, after: Buffer) => localTexts(component, czech, before, after);

describe('localTexts', () => {
  it('local texts are the non-empty texts that differ from the earlier version', () => {
    const before = file({ One: 'jedna', Two: 'dvě', Three: '' });
    const after = file({ One: 'jednou', Two: 'dvě', Three: 'tři', Four: '' });
    expect(texts(before, after)).toEqual([
      { context: '', source: ['One'], kept: ['jednou'], upstream: ['jedna'] },
      { context: '', source: ['Three'], kept: ['tři'], upstream: [''] },
    ]);
  });

  it('without an earlier version, all texts are local', () => {
    expect(texts(null, file({ One: 'jedna', Two: '' }))).toMatchObject([{ source: ['One'], kept: ['jedna'] }]);
  });

  it('strings of a monolingual file are identified by their keys', () => {
    const json = componentOf(1, { fileFormat: 'json', template: 'en.json' });
    const compared = localTexts(json, czech, Buffer.from('{"a": "1"}'), Buffer.from('{"a": "2"}'));
    expect(compared).toMatchObject([{ context: 'a', kept: ['2'], upstream: ['1'] }]);
  });

  it('local texts are unknown if a version does not parse', () => {
    expect(texts(Buffer.from('msgid "'), file({ One: 'jedna' }))).toBeNull();
  });
});

it('sameStrings compares texts and states, but not their order; a file that does not parse equals no other', () => {
  const same = (one: Buffer, other: Buffer) => sameStrings(component, czech, one, other);
  const one = file({ One: 'jedna', Two: '' });
  expect(same(one, file({ Two: '', One: 'jedna' }))).toBe(true);
  expect(same(one, file({ One: 'jedna' }))).toBe(false);
  expect(same(one, Buffer.from(one.toString().replace('msgid "One"', '#, fuzzy\nmsgid "One"')))).toBe(false);
  expect(same(Buffer.from('msgid "'), Buffer.from('msgid "'))).toBe(false);
});

describe('kept files', () => {
  const kept = (upstream: string, length = 5): KeptFile => ({
    component,
    translation: 11,
    path: 'po/cs.po',
    texts: [{ context: '', source: ['One'], kept: ['x'.repeat(length)], upstream: [upstream] }],
  });

  it('kept files conflict where upstream had another text, not where it had none', () => {
    expect(conflictsOf([kept('jedna')])).toMatchObject([{ translationId: 11, source: ['One'], upstream: ['jedna'] }]);
    expect(conflictsOf([kept('')])).toEqual([]);
  });

  it('kept files are in the history with their texts, up to a length', () => {
    const detailsOf = (length: number) => {
      const { payload } = keptEvents([kept('jedna', length)])[0]!;
      return JSON.parse((payload as { detailsJson: string }).detailsJson) as { strings: number; texts: object[] };
    };
    expect(detailsOf(5)).toMatchObject({ filename: 'po/cs.po', strings: 1, texts: [{ source: ['One'] }] });
    expect(detailsOf(50_000)).toMatchObject({ strings: 1, texts: [] });
  });
});

describe('keepPendingFiles', () => {
  let world: UseCaseWorld;
  beforeEach(async () => {
    world = await UseCaseWorld.start({ 'po/cs.po': po({ One: '' }), README: 'x\n' });
  });
  afterEach(() => world.close());

  /** Another history: without po/cs.po, with the given files. */
  const keep = (files: Record<string, string> = {}) =>
    world.run(1, async ({ git, session, components }) => {
      const head = session.repository.head!;
      const author = world.deps.committer();
      const changes = [
        { path: 'po/cs.po', bytes: null },
        ...Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
      ];
      const [other] = await git.commit(head, [{ changes, author, committer: author, message: 'Theirs' }]);
      const log = (line: string) => void world.log.push(line);
      const result = await keepPendingFiles(world.deps, components, { git, head }, { git, head: other! }, log);
      const found = await git.readFile(result.head, 'po/cs.po');
      return { ...result, other, text: found?.bytes.toString() ?? null };
    });

  it('keepPendingFiles adds a file with pending edits that another history does not contain, as it was committed', async () => {
    await world.imported(1);
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    const { text, events, conflicts } = await keep();
    expect(text).toBe(po({ One: '' }));
    expect(events).toHaveLength(1);
    expect(conflicts).toEqual([]);
    expect(world.log).toEqual(['po/cs.po: deleted upstream; kept because of pending edits']);
  });

  it('edits that the commit policy withholds count, too', async () => {
    await world.imported(1);
    world.translations.withholds = true;
    world.catalog.stored.get(1)!.project.commitPolicy = 30;
    world.translations.addEdit(world.translations.add(1, 'cs', 'po/cs.po'), 'One', 'jedna');
    expect((await keep()).text).not.toBeNull();
  });

  it.each([
    ['has no pending edits', '', {}],
    ['has only pending edits without a text', 'empty', {}],
    ['has another file of its language there', 'jedna', { 'lang/cs.po': po({ One: '' }) }],
  ])('keepPendingFiles adds no file that %s', async (_, edit, files) => {
    await world.imported(1, { filemask: '*/*.po' });
    const translation = world.translations.add(1, 'cs', 'po/cs.po');
    if (edit) world.translations.addEdit(translation, 'One', edit === 'empty' ? '' : edit);
    const { head, other, events } = await keep(files);
    expect(head).toBe(other);
    expect(events).toEqual([]);
  });
});
