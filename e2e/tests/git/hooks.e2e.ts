import { createHmac, randomUUID } from 'node:crypto';
import { eventually, makeApi } from '../../support/api.mjs';
import { makeRemote } from '../../support/remotes.mjs';
import { importExample, system } from '../../support/system.mjs';

const { api, base } = system();
const anonymous = makeApi(base);
// Azure names a repository without its owner; a unique name excludes remotes of other tests.
const remote = makeRemote(undefined, `hooks-${randomUUID().slice(0, 8)}`);

/** The last two segments of the repository's address, which a git host calls owner/name. */
const [owner, name] = remote.url
  .replace(/\.git$/, '')
  .split('/')
  .slice(-2) as [string, string];
const fullName = `${owner}/${name}`;
const branch = 'main';
const ref = `refs/heads/${branch}`;
const secret = 'It is a Secret to Everybody';

type Headers = Record<string, string>;
/** What the tests need of a git host: its requests, with and without the secret. */
interface HostRequests {
  /** Documented payload of a push to a branch. */
  push(ref: string): object;
  headers: Headers;
  /** Headers that authenticate the secret. */
  proof(body: string): Headers;
  /** Header that identifies the delivery if the payload does not. */
  delivery?: string;
  /** A notification of another event. */
  other: { headers?: Headers; body: object };
}
const hmac = (body: string, algorithm = 'sha256') => createHmac(algorithm, secret).update(body).digest('hex');
/** A different secret for providers that send the secret itself. */
const wrongSecrets = {
  'x-gitlab-token': 'wrong',
  authorization: `Basic ${Buffer.from('any-name:wrong').toString('base64')}`,
};
const branchName = (reference: string) => reference.replace('refs/heads/', '');
const gitHost = `https://git.example.com/${fullName}`;

/** Gitee is missing: its deliveries have no id, so a repeated one is a new push. */
const providers: Record<string, HostRequests> = {
  github: {
    push: (r) => ({
      ref: r,
      repository: { name, full_name: fullName, owner: { login: owner }, clone_url: `${gitHost}.git` },
    }),
    headers: { 'x-github-event': 'push' },
    proof: (body) => ({ 'x-hub-signature-256': `sha256=${hmac(body)}` }),
    delivery: 'x-github-delivery',
    other: { headers: { 'x-github-event': 'ping' }, body: { zen: 'Keep it simple.', hook_id: 1 } },
  },
  gitlab: {
    push: (r) => ({
      object_kind: 'push',
      ref: r,
      project: { path_with_namespace: fullName, git_http_url: `${gitHost}.git` },
      repository: { name, git_http_url: `${gitHost}.git`, homepage: gitHost },
    }),
    headers: { 'x-gitlab-event': 'Push Hook' },
    proof: () => ({ 'x-gitlab-token': secret }),
    delivery: 'idempotency-key',
    other: { body: { object_kind: 'build', ref: branch, repository: { name, homepage: gitHost } } },
  },
  bitbucket: {
    push: (r) => ({
      repository: { full_name: fullName, scm: 'git', links: { html: { href: gitHost } } },
      push: { changes: [{ new: { type: 'branch', name: branchName(r) }, old: null }] },
    }),
    headers: { 'x-event-key': 'repo:push' },
    proof: (body) => ({ 'x-hub-signature': `sha256=${hmac(body)}` }),
    delivery: 'x-request-uuid',
    other: { headers: { 'x-event-key': 'diagnostics:ping' }, body: { test: true } },
  },
  pagure: {
    push: (r) => ({
      topic: 'git.receive',
      msg_id: `2026-${randomUUID()}`,
      msg: { branch: branchName(r), pagure_instance: 'https://git.example.com/', project_fullname: fullName },
    }),
    headers: { 'x-pagure-topic': 'git.receive' },
    proof: (body) => ({ 'x-pagure-signature-256': hmac(body), 'x-pagure-signature': hmac(body, 'sha1') }),
    other: { body: { topic: 'issue.new', msg: { project_fullname: fullName } } },
  },
  azure: {
    push: (r) => ({
      id: randomUUID(),
      subscriptionId: '00000000-0000-0000-0000-000000000001',
      eventType: 'git.push',
      resource: {
        refUpdates: [{ name: r }],
        repository: {
          name,
          id: randomUUID(),
          project: { name: owner, id: randomUUID() },
          remoteUrl: `https://team@dev.azure.com/team/${owner}/_git/${name}`,
        },
      },
    }),
    headers: {},
    proof: () => ({ authorization: `Basic ${Buffer.from(`any-name:${secret}`).toString('base64')}` }),
    other: { body: { eventType: 'build.complete', resource: {} } },
  },
  gitea: {
    push: (r) => ({ ref: r, repository: { full_name: fullName, clone_url: `${gitHost}.git`, html_url: gitHost } }),
    headers: { 'x-gitea-event': 'push' },
    proof: (body) => ({ 'x-gitea-signature': hmac(body) }),
    delivery: 'x-gitea-delivery',
    other: { headers: { 'x-gitea-event': 'issues' }, body: { action: 'opened', repository: { full_name: fullName } } },
  },
  forgejo: {
    push: (r) => ({ ref: r, repository: { full_name: fullName, clone_url: `${gitHost}.git`, html_url: gitHost } }),
    headers: { 'x-forgejo-event': 'push', 'x-gitea-event': 'push' },
    proof: (body) => ({ 'x-forgejo-signature': hmac(body), 'x-gitea-signature': hmac(body) }),
    delivery: 'x-forgejo-delivery',
    other: { headers: { 'x-forgejo-event': 'create' }, body: { ref: 'v1', ref_type: 'tag' } },
  },
};

let project: string;
let componentUrl: string;
beforeAll(async () => {
  const made = await importExample(api, remote);
  project = made.project;
  componentUrl = made.component.url;
});

const json = { 'content-type': 'application/json' };
const send = (provider: string, body: string, headers: Headers) =>
  anonymous.send('POST', `/hooks/${provider}/`, body, { ...json, ...headers });

describe.each(Object.entries(providers))('%s', (provider, { push, headers, proof, delivery, other }) => {
  it('a push notification is processed once, however often it is delivered, as JSON and as form', async () => {
    const body = JSON.stringify(push(ref));
    const id: Headers = delivery ? { [delivery]: randomUUID() } : {};
    const first = await send(provider, body, { ...headers, ...id });
    expect([first.status, first.body]).toMatchObject([
      200,
      {
        status: 'success',
        match_status: { branch_matches: 1, enabled_hook_matches: 1 },
        updated_components: [componentUrl],
      },
    ]);
    expect(first.body.match_status.repository_matches).toBeGreaterThanOrEqual(1);
    const [change] = (
      await eventually(
        () => api.get(`${componentUrl}changes/?action=53`),
        (page: { results: { details: { service: string } }[] }) =>
          page.results[0]?.details.service.toLowerCase().startsWith(provider) === true,
      )
    ).results;
    expect(change.details).toMatchObject({ branch });
    const count = (await api.get(`${componentUrl}changes/?action=53`)).count;

    const again = await send(provider, body, { ...headers, ...id });
    expect([again.status, again.body.updated_components]).toEqual([200, [componentUrl]]);
    const form = new URLSearchParams({ payload: JSON.stringify(push(ref)) });
    const asForm = await anonymous.send('POST', `/hooks/${provider}/`, form, headers);
    expect([asForm.status, asForm.body.updated_components]).toEqual([200, [componentUrl]]);
    // The form is a new delivery; the repeated one has no effect.
    const { count: now } = await eventually(
      () => api.get(`${componentUrl}changes/?action=53`),
      (page: { count: number }) => page.count > count,
    );
    expect(now).toBe(count + 1);
  });

  it('pushes to other branches and other events are ignored', async () => {
    const elsewhere = await send(provider, JSON.stringify(push('refs/heads/other')), headers);
    expect([elsewhere.status, elsewhere.body]).toMatchObject([
      202,
      { status: 'failure', match_status: { branch_matches: 0, enabled_hook_matches: 0 }, updated_components: null },
    ]);
    const ping = await send(provider, JSON.stringify(other.body), { ...headers, ...other.headers });
    expect([ping.status, ping.body]).toMatchObject([
      201,
      { status: 'success', match_status: null, updated_components: null },
    ]);
    for (const [body, code] of [
      ['{"ref":', 'parse_error'],
      ['{}', 'invalid'],
      ['[1]', 'invalid'],
    ] as const) {
      const bad = await send(provider, body, headers);
      expect([bad.status, bad.body.errors?.[0].code]).toEqual([400, code]);
    }
  });

  it('a notification must prove the secret of the project', async () => {
    await api.patch(`/api/projects/${project}/`, { hook_secret: secret });
    try {
      const body = JSON.stringify(push(ref));
      const none = await send(provider, body, headers);
      expect([none.status, none.body.errors?.[0].code]).toEqual([403, 'permission_denied']);
      const wrong = await send(provider, body, { ...headers, ...proof('another body'), ...wrongSecrets });
      expect(wrong.status).toBe(403);
      const right = await send(provider, body, { ...headers, ...proof(body) });
      expect([right.status, right.body.updated_components]).toEqual([200, [componentUrl]]);
    } finally {
      await api.patch(`/api/projects/${project}/`, { hook_secret: '' });
    }
  });
});

describe('other requests', () => {
  it('invalid hook requests are rejected', async () => {
    expect((await anonymous.send('POST', '/hooks/sourceforge/', { ref })).status).toBe(404);
    const get = await anonymous.send('GET', '/hooks/github/');
    expect([get.status, get.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
    expect((await anonymous.send('POST', '/hooks/github', '{"zen":"x"}', json)).status).toBe(201);
  });

  it('the deprecated addresses update a project and a component', async () => {
    for (const path of [`/hooks/update/${project}/`, `/hooks/update/${project}/example/`])
      for (const method of ['GET', 'POST']) {
        const answer = await anonymous.send(method, path);
        expect([answer.status, answer.body]).toMatchObject([200, { status: 'success', message: expect.any(String) }]);
      }
    for (const path of ['/hooks/update/nowhere/', `/hooks/update/${project}/nothing/`])
      expect((await anonymous.send('GET', path)).status).toBe(404);
    expect((await anonymous.send('DELETE', `/hooks/update/${project}/`)).status).toBe(405);
    await api.patch(`/api/projects/${project}/`, { enable_hooks: false });
    for (const path of [`/hooks/update/${project}/`, `/hooks/update/${project}/example/`])
      expect((await anonymous.send('GET', path)).status).toBe(405);
    const body = JSON.stringify(providers.gitea!.push(ref));
    const deaf = await send('gitea', body, providers.gitea!.headers);
    expect([deaf.status, deaf.body.match_status]).toMatchObject([202, { branch_matches: 1, enabled_hook_matches: 0 }]);
  });
});
