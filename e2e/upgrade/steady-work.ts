// Work of users that goes on while processes are replaced.
import { eventually, type makeApi } from '../support/api.mjs';
import type { makeRemote } from '../support/remotes.mjs';

interface Unit {
  id: number;
  target: string[];
}

interface Place {
  api: ReturnType<typeof makeApi>;
  project: string;
  /** Of a translation of its example component. */
  path: string;
  componentPath: string;
}

export type SteadyWork = Awaited<ReturnType<typeof startWork>>;

/** Edits strings, reads them at once, reads pages and pushes, until stopped. Every response but the expected one is a failure. */
export async function startWork({ api, project, path, componentPath }: Place) {
  const units = ((await api.all(`${path}/units/`)) as Unit[]).filter(({ target }) => target.length === 1);
  let stopped = false;
  const failures: string[] = [];
  const last = new Map<number, string>();
  let edits = 0;
  let pushes = 0;
  /** Repeats a piece of work until the end. */
  const loop = async (what: string, work: (round: number) => Promise<void>) => {
    for (let round = 0; !stopped; round++)
      await work(round).catch((error: unknown) => failures.push(`${what}: ${String(error)}`));
  };
  const loops = [
    ...units.map(({ id }) =>
      loop(`edit of ${id}`, async (round) => {
        const text = `Text ${round} of ${id}`;
        await api.patch(`/api/units/${id}/`, { target: [text], state: 20 });
        last.set(id, text);
        edits++;
        const { target } = await api.get(`/api/units/${id}/`);
        if (target[0] !== text) throw new Error(`read ${String(target[0])} after ${text}`);
      }),
    ),
    loop('read', async () => {
      await api.get(`${path}/units/`);
      await api.get(`${path}/statistics/`);
      await api.get(`${path}/changes/`);
      await api.get(`/api/projects/${project}/`);
    }),
    loop('push', async () => {
      await api.post(`${componentPath}/repository/`, { operation: 'push' });
      pushes++;
    }),
  ];
  const counts = async () => ({ edits, pushes });
  return {
    api,
    path,
    componentPath,
    failures,
    /** Last acknowledged text by unit. */
    last,
    /** Waits for 20 more edits and a push, or a failure. */
    async more() {
      const before = await counts();
      await eventually(
        counts,
        (now: typeof before) =>
          failures.length > 0 || (now.edits > before.edits + 20 && now.pushes > before.pushes + 1),
        120_000,
      );
    },
    async stop() {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

/** Expects each acknowledged text in its string, once in the history, in git, and in the statistics. */
export async function expectAllEdits(
  { api, path, componentPath, last }: SteadyWork,
  remote: ReturnType<typeof makeRemote>,
) {
  const changes = ((await api.all(`${path}/changes/?action=2&page_size=1000`)) as { target: string }[]).concat(
    await api.all(`${path}/changes/?action=5&page_size=1000`),
  );
  for (const [id, text] of last) {
    expect((await api.get(`/api/units/${id}/`)).target).toEqual([text]);
    expect(changes.filter(({ target }) => target === text)).toHaveLength(1);
  }
  await api.post(`${componentPath}/repository/`, { operation: 'push' });
  const file = remote.remoteFile('po/cs.po').toString();
  for (const text of last.values()) expect(file).toContain(text);
  const all = (await api.all(`${path}/units/`)) as { state: number }[];
  expect(await api.get(`${path}/statistics/`)).toMatchObject({
    total: all.length,
    translated: all.filter(({ state }) => state >= 20).length,
  });
}
