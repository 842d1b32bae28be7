import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';
import { unique } from '../../support/worlds.mjs';

const { api, user } = system();

interface Comment {
  id: number;
  comment: string;
  scope: string;
  resolved: boolean;
  url: string;
}

async function prepare() {
  const [ann, bob] = [unique('ann'), unique('bob')];
  const [example, annApi, bobApi] = await Promise.all([importExample(api, makeRemote()), user(ann), user(bob)]);
  const [unit] = await api.all(`${example.path}/units/`);
  return { ...example, unit, ann: { name: ann, api: annApi }, bob: { name: bob, api: bobApi } };
}

describe('the comments of a string', () => {
  it('the comments of a string are listed, edited, resolved and deleted, with statistics and history', async () => {
    const { path, unit, ann } = await prepare();
    const source = Number(/(\d+)\/$/.exec(unit.source_unit)![1]);
    for (const [scope, comment] of [
      ['translation', 'Here'],
      ['global', 'Everywhere'],
      ['report', 'A slip'],
    ])
      await ann.api.post(`/api/units/${unit.id}/comments/`, { scope, comment });
    const listed: Comment[] = await api.all(`/api/units/${unit.id}/comments/`);
    expect(listed.map(({ scope, comment }) => [scope, comment])).toEqual([
      ['translation', 'Here'],
      ['global', 'Everywhere'],
      ['report', 'A slip'],
    ]);
    expect(listed[0]).toMatchObject({
      unit: unit.url,
      user: expect.stringContaining(`/users/${ann.name}/`),
      resolved: false,
    });
    const onSource: Comment[] = await api.all(`/api/units/${source}/comments/`);
    expect(onSource).toEqual(listed.slice(1));
    const comments = async () => (await api.get(`${path}/statistics/`)).comments;
    expect(await comments()).toBe(1);

    // Authors edit, resolve and delete what is theirs.
    expect(await ann.api.patch(listed[0]!.url, { comment: 'Here!' })).toMatchObject({
      comment: 'Here!',
      scope: 'translation',
    });
    expect(await ann.api.patch(listed[0]!.url, { resolved: true })).toMatchObject({ comment: 'Here!', resolved: true });
    expect(await comments()).toBe(0);
    expect((await api.get(`/api/units/${unit.id}/`)).has_comment).toBe(false);
    await ann.api.patch(listed[0]!.url, { resolved: false });
    expect(await comments()).toBe(1);
    // Repeating it is no change.
    await ann.api.patch(listed[0]!.url, { resolved: false, comment: 'Here!' });
    await ann.api.delete(listed[0]!.url);
    expect(await comments()).toBe(0);
    expect((await api.send('PATCH', listed[0]!.url, { resolved: true })).status).toBe(404);
    const history = (await api.all(`${path}/changes/`)).map((c: { action: number; target: string; old: string }) => [
      c.action,
      c.target,
      c.old,
    ]);
    expect(history.slice(0, 5)).toEqual([
      [64, 'Here!', ''],
      [903, 'Here!', ''],
      [65, 'Here!', ''],
      [902, 'Here!', 'Here'],
      [3, 'Here', ''],
    ]);
  });

  it('editing the comments of other users requires a permission, and the comment must belong to the string', async () => {
    const { unit, ann, bob } = await prepare();
    const made = await ann.api.post(`/api/units/${unit.id}/comments/`, { scope: 'global', comment: 'Why?' });
    const source = Number(/(\d+)\/$/.exec(unit.source_unit)![1]);
    const url = `/api/units/${source}/comments/${made.id}/`;
    for (const body of [{ comment: 'x' }, { resolved: true }])
      expect([body, (await bob.api.send('PATCH', url, body)).status]).toEqual([body, 403]);
    expect((await bob.api.send('DELETE', url)).status).toBe(403);
    expect((await api.send('PATCH', `/api/units/${unit.id}/comments/${made.id}/`, { comment: 'x' })).status).toBe(404);
    const wrong = await api.send('PATCH', url, { comment: ' ', resolved: 'perhaps' });
    expect([wrong.status, wrong.body.errors.map((e: { attr: string }) => e.attr).sort()]).toEqual([
      400,
      ['comment', 'resolved'],
    ]);
    expect(await api.patch(url, { resolved: true })).toMatchObject({ comment: 'Why?', resolved: true });
  });

  it('concurrent additions and deletions of comments of a string are counted correctly', async () => {
    const { path, unit, ann } = await prepare();
    const add = (comment: string) =>
      ann.api.post(`/api/units/${unit.id}/comments/`, { scope: 'translation', comment }) as Promise<{ id: number }>;
    const first = await Promise.all(['1', '2', '3'].map(add));
    await Promise.all([
      ...first.map(({ id }) => ann.api.delete(`/api/units/${unit.id}/comments/${id}/`)),
      ...['4', '5'].map(add),
    ]);
    const left: Comment[] = await api.all(`/api/units/${unit.id}/comments/`);
    expect(left.map(({ comment }) => comment).sort()).toEqual(['4', '5']);
    for (const { url } of left) await ann.api.delete(url);
    expect((await api.get(`/api/units/${unit.id}/`)).has_comment).toBe(false);
    expect((await api.get(`${path}/statistics/`)).comments).toBe(0);
  });
});
