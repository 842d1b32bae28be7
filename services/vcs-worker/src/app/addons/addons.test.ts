import { addonDefinitions } from '@parlance/contracts';
import { discover } from './discovery';
import { effects } from './effects';
import { folderOf, updateLinguas } from './gettext';
import { changedFlags } from './strings';
import { groupByAuthor, groupByPath, joinedMessage } from './squash';

describe('the table of add-ons', () => {
  /** Events that vcs-worker handles, and the method of an effect that does. Other services handle parsing and the history. */
  const methods = { commit: ['changeCommit'], push: ['beforePush'] } as const;
  const work = addonDefinitions.filter(
    ({ events, unavailable }) => !unavailable && !events.includes('change') && !events.includes('import'),
  );

  it.each(work.map(({ name, events }) => [name, events] as const))(
    'the add-on %s has an effect on each of its events',
    (name, events) => {
      const effect = effects[name];
      expect(effect).toBeDefined();
      for (const event of events) {
        const wanted =
          event === 'commit' || event === 'push' ? methods[event] : (['maintainFiles', 'runTask'] as const);
        expect(wanted.some((part) => effect![part])).toBe(true);
      }
    },
  );

  it('every add-on with an effect is in the table', () => {
    expect(Object.keys(effects).filter((name) => !work.some((definition) => definition.name === name))).toEqual([]);
  });
});

describe('LINGUAS', () => {
  it('LINGUAS keeps its comments and layout', () => {
    expect(updateLinguas('# Head\ncs\nde\n', ['cs', 'de', 'fr'])).toBe('# Head\ncs\nde\nfr\n');
    expect(updateLinguas('cs de\n', ['cs', 'de', 'fr'])).toBe('cs de fr\n');
    expect(updateLinguas('de\ncs # Czech\n', ['cs', 'de'])).toBe('de\ncs # Czech\n');
  });

  it('LINGUAS is in the folder of the translation files', () => {
    expect(folderOf('po/*.po')).toBe('po');
    expect(folderOf('locale/*/LC_MESSAGES/a.po')).toBe('locale');
    expect(folderOf('*.po')).toBe('');
  });
});

describe('discovery', () => {
  it('discovery groups files and replaces the language by the mask', async () => {
    const paths = ['a/x/cs.po', 'a/x/de.po', 'a/y/de.po', 'b/x/cs.po'];
    expect(await discover(paths, 'a/(?P<component>[^/]*)/(?P<language>[^/]*)\\.po')).toEqual([
      { component: 'x', filemask: 'a/x/*.po' },
      { component: 'y', filemask: 'a/y/*.po' },
    ]);
    expect(
      (await discover(['l/cs/app.cs.po'], 'l/(?<language>[^/]*)/(?<component>[^.]*)\\.(?P=language)\\.po')).map(
        (d) => d.filemask,
      ),
    ).toEqual(['l/*/app.*.po']);
  });

  it('a hostile discovery pattern takes linear time, and an unsupported one is rejected with its field', async () => {
    expect(await discover([`${'a'.repeat(4_000)}!`], '(?<component>(a+)+)(?<language>b)')).toEqual([]);
    await expect(discover([], '(?<component>a)(?<language>b)(?=c)')).rejects.toThrow('"match" is not a valid');
  });
});

describe('squashing', () => {
  const step = (hash: string, name: string, paths: string[], message = hash) => ({
    hash,
    tree: '',
    parents: ['0'],
    author: { name, email: `${name}@example.com`, timeMs: 0 },
    committer: { name: 'P', email: 'p@example.com', timeMs: 0 },
    message,
    paths,
  });
  const summary = (groups: { steps: { hash: string }[]; paths: Set<string> }[]) =>
    groups.map((group) => [group.steps.map((s) => s.hash).join(''), [...group.paths].sort().join(' ')]);

  it('squashing joins commits of an author unless another author changed the same files in between', () => {
    expect(
      summary(
        groupByAuthor([step('1', 'a', ['x']), step('2', 'b', ['y']), step('3', 'a', ['x']), step('4', 'a', ['y'])]),
      ),
    ).toEqual([
      ['13', 'x'],
      ['2', 'y'],
      ['4', 'y'],
    ]);
  });

  it('squashing can join commits by file', () => {
    expect(summary(groupByPath([step('1', 'a', ['x', 'y']), step('2', 'b', ['x'])], (path) => path))).toEqual([
      ['12', 'x'],
      ['1', 'y'],
    ]);
  });

  it('squashing keeps trailers and lists the other authors', () => {
    const steps = [step('1', 'a', ['x'], 'One\n\nReviewed-by: C <c@x>'), step('2', 'b', ['x'], 'Two')];
    expect(joinedMessage(steps, '', true)).toBe(
      'One\n\nTwo\n\nReviewed-by: C <c@x>\nCo-authored-by: a <a@example.com>',
    );
    expect(joinedMessage(steps, 'All', false)).toBe('All');
  });
});

it('flags are added and removed by name', () => {
  expect(changedFlags('max-length:10, md-text', 'max-length:20, placeholders:"a,b"', 'md-text')).toBe(
    'max-length:20, placeholders:"a,b"',
  );
  expect(changedFlags('', '', 'md-text')).toBe('');
});
