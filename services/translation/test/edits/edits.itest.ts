import type { Caller } from '@parlance/access';
import { listPending } from '../../src/app/commit/commit-pending';
import { recordSkipped } from '../../src/app/commit/record-skipped';
import { updateUnit } from '../../src/app/edit/update-unit';
import { userDeleted } from '../../src/consumers/user-deleted';
import { Action } from '../../src/domain/change';
import type { Author } from '../../src/domain/unit';
import { makeProcess, silent, storeStrings } from '../support/process';
import { person } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();

/** A component with a Czech translation, and processes that work on it. */
async function makeWorld(strings: number) {
  const deleted: Author[] = [];
  const announced: string[] = [];
  const stored = await storeStrings(database, strings);
  const startProcess = (slow = 0) =>
    makeProcess(database, stored.component, {
      now: () => Date.now() - slow,
      announcer: { ...silent, updated: async (t) => void announced.push(t.counters.lastAuthor) },
      entities: { deletedUsers: async (asked) => deleted.filter(({ userId }) => asked.includes(userId)) },
    });
  return { ...stored, startProcess, deleted, announced };
}

const deletedAuthor: Author = {
  userId: 7,
  username: 'deleted-7',
  fullName: 'Deleted User',
  email: 'noreply+7@example.org',
};

describe('concurrent edits of one string', () => {
  it('Concurrent edits of one string are all saved, in one process and in several', async () => {
    const { startProcess, list, translation } = await makeWorld(1);
    // The processes have different clocks.
    const processes = [startProcess(), startProcess(5_000)];
    const unit = list[0]!.id;
    const texts = Array.from({ length: 100 }, (_, i) => `Text ${i}`);
    const saved = await Promise.all(
      texts.map((text, i) =>
        updateUnit(
          processes[i % 10 === 0 ? 1 : 0]!,
          person(1, 'ana'),
          { id: unit, target: [text], expectedVersion: 0 },
          '',
        ),
      ),
    );
    expect(saved.map((u) => u.target[0])).toEqual(texts);
    expect(saved.map((u) => u.version).sort((a, b) => a - b)).toEqual(texts.map((_, i) => list[0]!.version + 1 + i));
    const history = await processes[0]!.changes.page({ unit, actions: [2, 5] }, 1, 200);
    expect(history.items.map((c) => c.target).sort()).toEqual([...texts].sort());
    // Newest first: the old text of each entry is the new text of the next one.
    expect(history.items.map((c) => c.old)).toEqual([...history.items.slice(1).map((c) => c.target), '']);
    expect((await processes[0]!.translations.get(translation.id))!.counters.contentChanges).toBe(100);
  });
});

describe('a deleted user', () => {
  it('Commits of a deleted user’s pending edits contain all edits and the placeholder name', async () => {
    const { startProcess, component, deleted, announced, list, translation } = await makeWorld(2);
    const deps = startProcess();
    const edit = (at: number, who: Caller, text: string) =>
      updateUnit(deps, who, { id: list[at]!.id, target: [text], expectedVersion: 0 }, '');
    await edit(0, person(8, 'bob'), 'Bob');
    await edit(0, person(7, 'ana'), 'Ana');
    await edit(1, person(7, 'ana'), 'Ana, too');
    const removal = { id: 'r', component: component.id, translation: translation.id, key: 'k', time: Date.now() };
    const { userId, username, fullName, email } = person(7, 'ana');
    await deps.removals.add([{ ...removal, author: { userId, username, fullName, email } }]);
    deleted.push(deletedAuthor);
    await userDeleted(deps)([{ payload: { userId: 7 } }] as Parameters<ReturnType<typeof userDeleted>>[0]);
    expect(announced.at(-1)).toBe('Deleted User');
    const stored = JSON.stringify([
      await deps.units.pendingOfComponent(component.id),
      await deps.removals.ofComponent(component.id),
      await deps.translations.get(translation.id),
    ]);
    expect(stored).not.toMatch(/ana@|Full ana/);
    const groups = await listPending(deps, component, 0);
    const shown = groups.map(({ author, edits }) => [author.email, edits.map(({ edit }) => edit.target[0])]);
    expect(shown).toEqual([
      ['bob@example.com', ['Bob']],
      [deletedAuthor.email, ['Ana, too']],
      [deletedAuthor.email, ['Ana']],
    ]);
  });

  it('A commit contains the placeholder name for an edit saved during the deletion of its author', async () => {
    const { startProcess, component, deleted, list } = await makeWorld(1);
    const deps = startProcess();
    deleted.push(deletedAuthor);
    await userDeleted(deps)([{ payload: { userId: 7 } }] as Parameters<ReturnType<typeof userDeleted>>[0]);
    await updateUnit(deps, person(7, 'ana'), { id: list[0]!.id, target: ['Late'], expectedVersion: 0 }, '');
    const [group] = await listPending(deps, component, 0);
    expect(group).toMatchObject({ author: deletedAuthor, edits: [{ edit: { target: ['Late'] } }] });
    expect((await deps.units.get(list[0]!.id))!.edits.map(({ author }) => author)).toEqual([deletedAuthor]);
  });
});

describe('an edit that fails an enforced check', () => {
  it('An edit that fails an enforced check needs editing, and its history entry names the check and the old state', async () => {
    const { component, list } = await makeWorld(1);
    const deps = makeProcess(database, { ...component, enforcedChecks: ['end_stop'] }, { announcer: silent });
    const [unit] = list;
    const saved = await updateUnit(
      deps,
      person(8, 'bob'),
      { id: unit!.id, target: ['Text.'], state: 20, expectedVersion: 0 },
      '',
    );
    expect(saved.state).toBe(10);
    const { items } = await deps.changes.page({ unit: unit!.id, actions: [Action.enforcedCheck] }, 1, 10);
    expect(items.map(({ target, details }) => ({ target, details }))).toEqual([
      {
        target: 'Text.',
        details: {
          state: 10,
          old_state: unit!.state,
          source: unit!.source[0],
          context: unit!.context,
          checks: ['end_stop'],
        },
      },
    ]);
  });
});

describe('an edit that the file format cannot express', () => {
  it('An edit that the file format cannot express stays pending and is recorded once in the history', async () => {
    const { startProcess, list } = await makeWorld(1);
    const deps = startProcess();
    const unit = list[0]!.id;
    const edit = async (text: string) => {
      const saved = await updateUnit(deps, person(8, 'bob'), { id: unit, target: [text], expectedVersion: 0 }, '');
      return saved.edits[0]!.id;
    };
    const failures = async () =>
      (await deps.changes.page({ unit, actions: [Action.saveFailed] }, 1, 10)).items.map((c) => [
        c.target,
        c.details['reason'],
      ]);
    const first = await edit('First');
    const report = (id: string) => recordSkipped(deps, [{ unit, edit: id, reason: 'too long' }]);
    for (let commit = 0; commit < 3; commit++) await report(first);
    expect(await failures()).toEqual([['First', 'too long']]);
    const second = await edit('Second');
    await report(first);
    await report(second);
    expect(await failures()).toEqual([
      ['Second', 'too long'],
      ['First', 'too long'],
    ]);
    expect((await deps.units.get(unit))!.edits).toMatchObject([{ id: second, target: ['Second'] }]);
    await recordSkipped(deps, [{ unit: 0, edit: 'a removal', reason: 'too long' }]);
  });
});
