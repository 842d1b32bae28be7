import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { vcsWorker } from '@parlance/contracts';
import { packet } from '@parlance/git';
import type { CallOptions } from '@parlance/grpc-kit';
import { pot, texts, World, type Started } from './support/world';

const FLUSH = '0000';
const DELIMITER = '0001';
const MIB = 1024 * 1024;

/** Collects garbage, so that only retained memory is measured. */
const collect = ((): (() => void) => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

/** Request of a client without any objects. */
const fetchRequest = (...wants: string[]): Buffer =>
  Buffer.concat([
    packet('command=fetch'),
    Buffer.from(DELIMITER),
    ...wants.map((want) => packet(`want ${want}\n`)),
    packet('done\n'),
    Buffer.from(FLUSH),
  ]);

/** Payload of a response by side band: 1 is the pack, 2 is progress. */
function sideBand(answer: Buffer, band: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < answer.length;) {
    const length = Math.max(4, parseInt(answer.toString('latin1', at, at + 4), 16));
    if (answer[at + 4] === band) parts.push(answer.subarray(at + 5, at + length));
    at += length;
  }
  return Buffer.concat(parts);
}

describe('git clients', () => {
  let world: World;
  let one: Started;
  /** The component of the current test. */
  let c: number;
  let folder: string;
  beforeAll(async () => {
    world = await World.start();
    one = await world.worker({ VCS_WORKER_SERVED: '1' });
    folder = mkdtempSync(join(tmpdir(), 'parlance-client-'));
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    c = await world.fresh({ 'po/app.pot': pot, 'po/cs.po': texts(), 'README.md': 'x\n' });
  });

  async function ask(request: vcsWorker.UploadPackRequest, as: CallOptions = world.admin): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const { chunk } of one.client.uploadPack({ componentId: c, ...request }, as)) parts.push(chunk);
    return Buffer.concat(parts);
  }
  const refs = async (protocol = 0): Promise<string> =>
    (await ask({ protocol, advertise: true })).toString('latin1').replaceAll('\0', ' ');
  const headOf = async (id: number): Promise<string> => (await world.status(one, id)).localCommit;
  /** Entries of the folder for views: one for each client being served. */
  const views = () => readdirSync(join(one.folder, 'views'));
  const untilNoViews = async () => {
    while (views().length > 0) await turn();
  };

  /** Unpacks a pack into an empty repository; returns git for that repository. */
  function unpacked(pack: Buffer): (...args: string[]) => string {
    const bare = mkdtempSync(join(folder, 'bare-'));
    const git = (...args: string[]) =>
      execFileSync('git', ['--git-dir', bare, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    git('init', '--quiet', '--bare');
    execFileSync('git', ['--git-dir', bare, 'index-pack', '--stdin', '--strict'], { input: pack });
    return git;
  }

  it('git clients see exactly one branch, including unpushed commits', async () => {
    await world.component(one, c);
    const [upstream] = world.remote.log();
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    await world.run(one, 'OPERATION_COMMIT', c);
    const head = await headOf(c);
    expect(head).not.toBe(upstream!.hash);

    const lines = (await refs()).match(/[0-9a-f]{40} \S+/g);
    expect(lines).toEqual([`${head} HEAD`, `${head} refs/heads/main`]);
    expect(await refs()).toContain('symref=HEAD:refs/heads/main');
    expect(await refs(1)).toContain('version 1');
    expect(await refs(2)).toContain('version 2');
    expect(await refs(2)).not.toContain(head);

    const git = unpacked(sideBand(await ask({ protocol: 2, body: fetchRequest(head) }), 1));
    expect(git('log', '--format=%an %H', head).split('\n')[0]).toBe(`Ann ${head}`);
    expect(git('rev-parse', `${head}^`).trim()).toBe(upstream!.hash);
    expect(git('show', `${head}:po/cs.po`)).toBe(texts({ One: 'první' }));
    expect(world.remote.log()).toHaveLength(1);
    await untilNoViews();
  });

  it("git clients can fetch commits of the branch's history and no other object, in every protocol version", async () => {
    await world.component(one, c);
    const [before] = world.remote.log();
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    await world.run(one, 'OPERATION_COMMIT', c);
    const dropped = await headOf(c);
    await world.run(one, 'OPERATION_RESET', c);
    world.remote.commit({ 'README.md': 'y\n' });
    await world.run(one, 'OPERATION_PULL', c);
    // The clone still contains the abandoned commit.
    expect(
      unpacked(sideBand(await ask({ protocol: 2, body: fetchRequest(before!.hash) }), 1))('log', before!.hash),
    ).toContain('Change');
    const blob = execFileSync('git', ['--git-dir', world.remote.path, 'rev-parse', 'main:README.md'], {
      encoding: 'utf8',
    }).trim();
    for (const name of [dropped, blob, '1'.repeat(40)]) {
      const refused = packet(`ERR upload-pack: not our ref ${name}`);
      const head = await headOf(c);
      for (const body of [fetchRequest(name), fetchRequest(head, name)])
        expect((await ask({ protocol: 2, body })).toString()).toBe(refused.toString());
      const old = Buffer.concat([packet(`want ${name} ofs-delta\n`), Buffer.from(FLUSH), packet('done\n')]);
      for (const protocol of [0, 1]) expect((await ask({ protocol, body: old })).toString()).toBe(refused.toString());
    }
  });

  it('git clients are rejected without vcs.access, and for components without their own repository', async () => {
    await world.component(one, c);
    await expect(ask({ advertise: true }, world.stranger)).rejects.toMatchObject({ reason: 'PERMISSION_DENIED' });
    await expect(ask({ advertise: true, componentId: 999_999 })).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    await expect(ask({ advertise: true, protocol: 3 })).rejects.toMatchObject({ reason: 'INVALID' });
    const linked = c + 1_000_000;
    world.catalog.put({ repo: world.url, id: linked, branch: 'main', linkedComponentId: c });
    await expect(ask({ advertise: true, componentId: linked })).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  it('git clients are served after the loss of the disk, and errors do not disclose internals', async () => {
    await world.component(one, c);
    world.translation.edit('po/cs.po', 'One', 'první', 'Ann');
    await world.run(one, 'OPERATION_COMMIT', c);
    const head = await headOf(c);
    for (const name of readdirSync(one.folder)) rmSync(join(one.folder, name), { recursive: true });
    expect(await refs()).toContain(`${head} refs/heads/main`);
    for (const name of readdirSync(one.folder)) rmSync(join(one.folder, name), { recursive: true });
    world.remote.close();
    const failure = await ask({ advertise: true }).catch((error: unknown) => error as Error & { reason: string });
    expect(failure).toMatchObject({ reason: 'UNAVAILABLE', message: 'The repository cannot be read at the moment.' });
  });

  it('git clients clone repositories without a remote', async () => {
    const archive = Buffer.from(texts());
    const prepared = await one.client.prepareRepository(
      {
        ...world.prepareRequest({ vcs: 'local', repo: 'local:' }),
        archive,
        archiveKind: 'document',
        newBase: 'po/en.po',
      },
      world.process,
    );
    await world.imported(one, c, { vcs: 'local', repo: 'local:' }, prepared);
    const head = await headOf(c);
    const git = unpacked(sideBand(await ask({ protocol: 2, body: fetchRequest(head) }), 1));
    expect(git('show', `${head}:po/en.po`)).toBe(texts());
  });

  describe('of a large repository', () => {
    const size = 64 * MIB;
    let componentId: number;
    let head: string;
    beforeAll(async () => {
      componentId = await world.fresh({ 'po/cs.po': texts() });
      world.remote.commit({ 'image.bin': randomBytes(size) });
      await world.component(one, componentId);
      head = await headOf(componentId);
    });

    it('a large repository is streamed, and memory is bounded by backpressure', async () => {
      let received = 0;
      let largest = 0;
      let memory = 0;
      let chunks = 0;
      collect();
      const before = process.memoryUsage().arrayBuffers;
      for await (const { chunk } of one.client.uploadPack(
        { componentId, protocol: 2, body: fetchRequest(head) },
        world.admin,
      )) {
        received += chunk.length;
        largest = Math.max(largest, chunk.length);
        if (++chunks % 32 === 0) {
          collect();
          memory = Math.max(memory, process.memoryUsage().arrayBuffers - before);
        }
        await turn();
      }
      expect(received).toBeGreaterThan(size);
      expect(largest).toBeLessThanOrEqual(256 * 1024);
      expect(chunks).toBeGreaterThan(64);
      expect(memory).toBeLessThan(size / 4);
      await untilNoViews();
    });

    it('a disconnected client ends its git process and frees its permit', async () => {
      const answer = one.client
        .uploadPack({ componentId, protocol: 2, body: fetchRequest(head) }, world.admin)
        [Symbol.asyncIterator]();
      await answer.next();
      const [view] = views();
      const running = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(view!);
      expect(running()).toBe(true);
      // One permit; at most eight clients wait for it.
      const others = Array.from({ length: 9 }, () => ask({ componentId, advertise: true }));
      const refused = await new Promise((resolve) => others.forEach((other) => void other.catch(resolve)));
      expect(refused).toMatchObject({ reason: 'UNAVAILABLE' });
      expect(views()).toEqual([view]);
      await answer.return!(undefined);
      const outcomes = await Promise.allSettled(others);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
      expect(running()).toBe(false);
      await untilNoViews();
    });
  });
});
