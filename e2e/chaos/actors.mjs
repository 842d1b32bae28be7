// The clients of a run. Each sends one request at a time and records every response.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { upload, po } from '../support/uploads.mjs';
import { poHeader } from '../support/repository.mjs';
import { UPSTREAM } from './world.mjs';

/** Request timeouts of clients in milliseconds; git operations take longest. */
const PATIENCE_MS = 20_000;
export const OPERATION_PATIENCE_MS = 60_000;
/** How long an actor of this kind waits for a response, in milliseconds. */
export const patienceOf = (kind) => (kind === 'operation' ? OPERATION_PATIENCE_MS : PATIENCE_MS);
/** Pause of a client between requests, in milliseconds. */
const PAUSE_MS = { edit: 300, read: 200, statistics: 300, upload: 3000, operation: 1000, upstream: 8000, hook: 5000 };

/** Sends the requests of an actor and counts the responses. */
export class Actor {
  /** Times of successful requests, in milliseconds since the epoch. */
  successes = [];
  counts = {};
  examples = {};

  /** @param {string} kind @param {() => Promise<{status: number, body?: unknown}>} act */
  constructor(kind, act) {
    this.kind = kind;
    this.act = act;
  }

  async run(isOver) {
    while (!isOver()) {
      const { status, body } = await this.#once();
      this.counts[status] = (this.counts[status] ?? 0) + 1;
      if (status >= 200 && status < 300) this.successes.push(Date.now());
      else this.examples[status] ??= JSON.stringify(body)?.slice(0, 300);
      await sleep(PAUSE_MS[this.kind]);
    }
  }

  async #once() {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(() => resolve({ status: 'timeout' }), patienceOf(this.kind));
    });
    const answer = this.act().catch((error) => ({ status: 'no answer', body: String(error.cause ?? error) }));
    const first = await Promise.race([answer, late]);
    clearTimeout(timer);
    return first;
  }

  /** Whether a request has succeeded since a time. */
  succeededSince(time) {
    return (this.successes.at(-1) ?? 0) >= time;
  }
}

/** The actors of a world. `random` decides what each of them does. */
export function makeActors(api, world, ledger, random) {
  const { cs, de } = world.translations;
  let count = 0;
  const text = (who) => `${world.slug} ${who} ${++count}`;
  const editor = (who, units) => {
    for (const unit of units) ledger.track(unit, { slug: world.slug, language: 'cs' });
    return new Actor('edit', async () => {
      const { id } = random.pick(units);
      const target = text(who);
      const acknowledge = ledger.sends(id, target);
      const answer = await api.send('PATCH', `/api/units/${id}/`, { target: [target], state: 20 });
      if (answer.status === 200) acknowledge();
      return answer;
    });
  };
  const half = cs.units.length / 2;
  for (const unit of de.units) ledger.track(unit, { slug: world.slug, language: 'de' });
  const uploader = new Actor('upload', async () => {
    const chosen = de.units.filter(() => random.below(3) === 0);
    const entries = chosen.map((unit) => ({ source: unit.source[0], text: text('upload'), id: unit.id }));
    const acknowledge = entries.map(({ id, text: sent }) => ledger.sends(id, sent));
    const fields = { method: 'translate', conflicts: 'replace-translated' };
    const answer = await upload(api, de.path, po(entries, poHeader('de')), fields, 'de.po');
    if (answer.status === 200 && answer.body.accepted === entries.length) acknowledge.forEach((call) => call());
    return answer;
  });
  const operation = new Actor('operation', () =>
    api.send('POST', `${world.componentPath}/repository/`, { operation: random.pick(['commit', 'push', 'pull']) }),
  );
  let upstreamText = '';
  const upstream = new Actor('upstream', async () => {
    const { remote } = world;
    remote.git('fetch', '-q', 'origin');
    remote.git('reset', '-q', '--hard', 'origin/main');
    const next = text('upstream');
    const file = remote.read('po/cs.po').toString();
    remote.write({
      'po/cs.po': file.replace(new RegExp(`(msgid "${UPSTREAM}"\nmsgstr ").*"`), `$1${next}"`),
    });
    remote.commit(next);
    remote.push();
    upstreamText = next;
    return { status: 200 };
  });
  const [owner, name] = world.remote.url
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2);
  const hook = new Actor('hook', () =>
    api.send(
      'POST',
      '/hooks/github/',
      {
        ref: 'refs/heads/main',
        repository: {
          name,
          full_name: `${owner}/${name}`,
          owner: { login: owner },
          clone_url: `https://git.example.com/${owner}/${name}.git`,
        },
      },
      { 'x-github-event': 'push', 'x-github-delivery': randomUUID() },
    ),
  );
  return {
    actors: [
      editor('first editor', cs.units.slice(0, half)),
      editor('second editor', cs.units.slice(half)),
      new Actor('read', () => api.send('GET', `${cs.path}/units/`)),
      new Actor('statistics', () => api.send('GET', `${cs.path}/statistics/`)),
      uploader,
      operation,
      upstream,
      hook,
    ],
    upstreamText: () => upstreamText,
  };
}
