import { createHmac } from 'node:crypto';
import { metricDefinitions } from '@parlance/telemetry';
import { PayloadError } from '../payload';
import type { Notification, Push } from '../push';
import { standardSignature } from '../signature';
import { providers } from './index';
import * as payloads from '../../../../test/payloads';
import { githubPushHeaders, pushes } from '../../../../test/pushes';

function notification(data: object, headers: Record<string, string> = {}): Notification {
  const json = JSON.stringify(data);
  return { headers, json, raw: Buffer.from(json), data };
}

const parse = (provider: string, data: object, headers?: Record<string, string>) =>
  providers.get(provider)!.parse(notification(data, headers));

/** Copies of a payload in which one selected value at a time, at any depth, is replaced. */
function* withReplaced(
  payload: unknown,
  replacement: unknown,
  selects: (value: unknown) => boolean,
): Generator<object> {
  if (typeof payload !== 'object' || payload === null) return;
  for (const [key, inner] of Object.entries(payload)) {
    const copy = (value: unknown): object =>
      Array.isArray(payload) ? payload.with(Number(key), value) : { ...payload, [key]: value };
    if (selects(inner)) yield copy(replacement);
    for (const changed of withReplaced(inner, replacement, selects)) yield copy(changed);
  }
}
const isText = (value: unknown): boolean => typeof value === 'string';

describe('the table of git hosts', () => {
  it('the table of git hosts has a push of every host in this test', () => {
    expect(new Set(pushes.map(([id]) => id))).toEqual(new Set(providers.keys()));
  });

  it('the table of git hosts has a label of the metric of deliveries for every host (libs/telemetry/src/metrics/topics/hooks.ts)', () => {
    expect(metricDefinitions.parlance_hook_deliveries_total.labels.provider).toEqual([...providers.keys(), 'other']);
  });
});

describe('push notifications', () => {
  it('no push whose branch has an empty name is accepted for all branches', () => {
    for (const [id, , payload, headers] of pushes)
      for (const empty of ['', 'refs/heads/'])
        for (const data of withReplaced(payload, empty, isText)) {
          let branches: string[] | undefined;
          try {
            branches = parse(id, data, headers)?.branches;
          } catch (error) {
            expect(error).toBeInstanceOf(PayloadError);
          }
          expect({ id, data, branches }).not.toMatchObject({ branches: [] });
        }
  });

  it('bitbucket: a push without changes has no branches', () => {
    const data = { repository: payloads.bitbucketCloudPush.repository };
    expect(parse('bitbucket', data, { 'x-event-key': 'repo:push' })!.branches).toEqual([]);
  });

  it('azure: tags do not hide a branch', () => {
    const data = structuredClone(payloads.azurePush);
    const [main] = data.resource.refUpdates;
    const tags = Array.from({ length: 30 }, (_, i) => ({ ...main!, name: `refs/tags/v${i}` }));
    data.resource.refUpdates = [...tags, main!];
    expect(parse('azure', data)!.branches).toEqual(['main']);
  });

  it('bitbucket: tags do not hide a branch, and a tag is no branch of the same name', () => {
    const tag = (name: string) => ({ new: { type: 'tag', name }, old: null });
    const branch = { new: { type: 'branch', name: 'main' }, old: null };
    const tags = Array.from({ length: 30 }, (_, i) => tag(`v${i}`));
    const cloud = (changes: object[]) =>
      parse('bitbucket', { ...payloads.bitbucketCloudPush, push: { changes } }, { 'x-event-key': 'repo:push' })!;
    expect(cloud([...tags, branch]).branches).toEqual(['main']);
    expect(cloud([tag('main')]).branches).toEqual(['refs/tags/main']);
    const server = (changes: object[]) =>
      parse('bitbucket', { ...payloads.bitbucketServerPush, changes }, { 'x-event-key': 'repo:refs_changed' })!;
    const ref = (type: string, displayId: string) => ({ ref: { displayId, type }, type: 'UPDATE' });
    expect(server([ref('TAG', 'v1'), ref('BRANCH', 'main')]).branches).toEqual(['main']);
    expect(server([ref('TAG', 'main')]).branches).toEqual(['refs/tags/main']);
  });

  it('a push of a tag only keeps the tag, which matches no branch', () => {
    expect(parse('github', { ...payloads.githubPush, ref: 'refs/tags/v1' }, githubPushHeaders)!.branches).toEqual([
      'refs/tags/v1',
    ]);
  });

  it.each(pushes)('the push of %s is parsed: %s', (provider, _name, data, headers, { branches, fullName, urls }) => {
    const parsed: Push = parse(provider, data, headers)!;
    expect(parsed).toMatchObject({ branches, fullName });
    expect(parsed.candidateUrls).toEqual(expect.arrayContaining(urls));
    expect(parsed.candidateUrls.length).toBeLessThanOrEqual(100);
    expect(new Set(parsed.candidateUrls).size).toBe(parsed.candidateUrls.length);
  });

  it('azure: a self-hosted server has only its own address', () => {
    const data = structuredClone(payloads.azurePush);
    data.resource.repository.remoteUrl = 'https://tfs.example.com/tfs/DefaultCollection/Fiber/_git/Git';
    expect(parse('azure', data)!.candidateUrls).toEqual([data.resource.repository.remoteUrl]);
  });

  it('azure: the older address of an organization is accepted', () => {
    const data = structuredClone(payloads.azurePush);
    data.resource.repository.remoteUrl = 'https://fabrikam.visualstudio.com/DefaultCollection/_git/Git';
    expect(parse('azure', data)!.candidateUrls).toContain(
      'git@ssh.dev.azure.com:v3/fabrikam/Fabrikam Fiber/Fabrikam Git',
    );
  });
});

describe('irrelevant events', () => {
  it.each([
    ['github', payloads.githubPing, { 'x-github-event': 'ping' }],
    ['github', payloads.githubPush, {}],
    ['gitlab', payloads.gitlabPipeline, { 'x-gitlab-event': 'Pipeline Hook' }],
    ['gitlab', payloads.gitlabJob, { 'x-gitlab-event': 'Job Hook' }],
    ['bitbucket', { test: true }, { 'x-event-key': 'diagnostics:ping' }],
    ['bitbucket', { test: true }, {}],
    ['bitbucket', payloads.bitbucketCloudMerge, { 'x-event-key': 'pullrequest:created' }],
    ['gitea', { action: 'opened', repository: payloads.giteaPush.repository }, { 'x-gitea-event': 'issues' }],
    [
      'forgejo',
      { ref: 'v1', ref_type: 'tag', repository: payloads.giteaPush.repository },
      { 'x-forgejo-event': 'create' },
    ],
    ['gitee', payloads.giteePush, { 'x-gitee-ping': 'true' }],
    ['gitee', payloads.giteePush, { 'x-gitee-event': 'Note Hook' }],
    ['pagure', { ...payloads.pagurePush, topic: 'issue.new' }, {}],
    ['pagure', { topic: 'git.receive', msg_id: '1' }, {}],
    ['azure', { ...payloads.azurePush, eventType: 'build.complete' }, {}],
  ])('the irrelevant event of %s is ignored', (provider, data, headers) => {
    expect(parse(provider, data, headers as Record<string, string>)).toBeNull();
  });
});

describe('incomplete payloads', () => {
  const cases: [string, object, Record<string, string>, string][] = [
    ['github', { ref: 'refs/heads/main' }, githubPushHeaders, 'repository'],
    ['github', { repository: payloads.githubPush.repository }, githubPushHeaders, 'ref'],
    ['github', { ref: 'x', repository: { name: 'a', owner: null } }, githubPushHeaders, 'repository.owner.name'],
    ['gitlab', { ref: 'x', repository: 'text' }, {}, 'repository'],
    ['gitlab', { ref: 7, repository: {} }, {}, 'ref'],
    ['bitbucket', { push: {} }, { 'x-event-key': 'repo:push' }, 'repository'],
    ['bitbucket', { repository: { slug: 'a' } }, { 'x-event-key': 'repo:push' }, 'repository.project.key'],
    ['gitea', { ref: 'x' }, {}, 'repository'],
    ['forgejo', { ref: 'x', repository: {} }, {}, 'repository.full_name'],
    ['gitee', { repository: {} }, {}, 'ref'],
    ['pagure', { topic: 'git.receive', msg: {} }, {}, 'msg.project_fullname'],
    ['azure', { eventType: 'git.push', resource: { url: 'x' } }, {}, 'resource.repository'],
    [
      'azure',
      { eventType: 'git.push', resource: { repository: { ...payloads.azurePush.resource.repository } } },
      {},
      'resource.refUpdates',
    ],
  ];
  it.each(cases)('the incomplete payload of %s %j is rejected', (provider, data, headers, field) => {
    expect(() => parse(provider, data, headers)).toThrow(PayloadError);
    expect(() => parse(provider, data, headers)).toThrow(`"${field}" is missing from the payload.`);
  });

  it('incomplete payloads of every host are always rejected with the same error class', () => {
    const odd = [undefined, null, 0, '', 'x', [], {}, [null], { repository: [] }, true];
    for (const [id, , payload, headers] of pushes) {
      const provider = providers.get(id)!;
      for (const value of odd) {
        for (const data of withReplaced(payload, value, () => true)) {
          const message = notification(data, headers);
          try {
            provider.parse(message);
          } catch (error) {
            expect([id, (error as Error).constructor]).toEqual([id, PayloadError]);
          }
          expect(typeof provider.deliveryId(message)).toBe('string');
          expect(provider.verifySecret(message, 'secret')).toBe(false);
        }
      }
    }
  });
});

describe('unusual texts at any place of a payload', () => {
  it.each([
    ['half a character', '\ud800'],
    ['a NUL', 'x\0'],
    ['an incorrectly encoded address', 'https://dev.azure.com/%E0%A4%A/x'],
    ['a long text that is truncated within a character', 'x'.repeat(1999) + '\u{1F600}'],
  ])('a payload with %s is accepted or rejected without another error', (_name, odd) => {
    for (const [id, , payload, headers] of pushes)
      for (const data of withReplaced(payload, odd, isText)) {
        const message = notification(data, headers);
        try {
          const parsed = providers.get(id)!.parse(message);
          expect(JSON.stringify(parsed)).not.toMatch(/\\u0000|\\ud[89a-f]/);
        } catch (error) {
          expect([id, (error as Error).constructor]).toEqual([id, PayloadError]);
        }
        expect(providers.get(id)!.deliveryId(message)).not.toMatch(/\0|[\ud800-\udbff]$/);
      }
  });

  it('azure: the missing field is named', () => {
    const data = structuredClone(payloads.azurePush);
    data.resource.repository.remoteUrl = 'https://dev.azure.com/%E0%A4%A/x';
    expect(() => parse('azure', data)).toThrow('resource.repository.remoteUrl is no valid address.');
    data.resource.repository.remoteUrl = payloads.azurePush.resource.repository.remoteUrl;
    data.resource.repository.project.name = '\ud800';
    expect(() => parse('azure', data)).toThrow('"resource.repository.project.name" is missing from the payload.');
  });
});

describe('proof of a secret', () => {
  const secret = 'It is a Secret to Everybody';
  const data = payloads.githubPush;
  const text = JSON.stringify(data);
  const hmac = (algorithm: string) => createHmac(algorithm, secret).update(text).digest('hex');
  const seconds = String(Math.floor(Date.now() / 1000));
  const giteeTime = String(Date.now());
  const right: [string, Record<string, string>][] = [
    ['github', { 'x-hub-signature-256': `sha256=${hmac('sha256')}` }],
    ['github', { 'x-hub-signature': `sha1=${hmac('sha1')}` }],
    ['gitlab', { 'x-gitlab-token': secret }],
    [
      'gitlab',
      {
        'webhook-id': 'm1',
        'webhook-timestamp': seconds,
        'webhook-signature': `v1,AAAA ${standardSignature(secret, 'm1', seconds, text)}`,
      },
    ],
    ['bitbucket', { 'x-hub-signature': `sha256=${hmac('sha256')}` }],
    ['gitea', { 'x-gitea-signature': hmac('sha256') }],
    ['forgejo', { 'x-forgejo-signature': hmac('sha256') }],
    ['forgejo', { 'x-hub-signature-256': `sha256=${hmac('sha256')}` }],
    ['gitee', { 'x-gitee-token': secret }],
    [
      'gitee',
      {
        'x-gitee-timestamp': giteeTime,
        'x-gitee-token': createHmac('sha256', secret).update(`${giteeTime}\n${secret}`).digest('base64'),
      },
    ],
    ['pagure', { 'x-pagure-signature': hmac('sha1') }],
    ['pagure', { 'x-pagure-signature-256': hmac('sha256') }],
    ['azure', { authorization: `Basic ${Buffer.from(`any-name:${secret}`).toString('base64')}` }],
  ];
  it.each(right)('%s accepts %j', (provider, headers) => {
    const { verifySecret: proves } = providers.get(provider)!;
    expect(proves(notification(data, headers), secret)).toBe(true);
    expect(proves(notification(data, headers), 'another secret')).toBe(false);
    expect(proves(notification(data, {}), secret)).toBe(false);
  });

  it.each([
    ['gitlab', 'x-gitlab-token'],
    ['gitee', 'x-gitee-token'],
  ])('%s: a secret with non-ASCII characters is accepted in UTF-8 and Latin-1', (provider, header) => {
    const { verifySecret: proves } = providers.get(provider)!;
    const given = Buffer.from('žluťoučký', 'utf8').toString('latin1');
    expect(proves(notification(data, { [header]: given }), 'žluťoučký')).toBe(true);
    expect(proves(notification(data, { [header]: 'café' }), 'café')).toBe(true);
    expect(proves(notification(data, { [header]: given }), 'žlutoučký')).toBe(false);
  });

  it('a signature covers the body', () => {
    const headers = { 'x-hub-signature-256': `sha256=${hmac('sha256')}`, 'x-gitea-signature': hmac('sha256') };
    for (const provider of ['github', 'gitea'])
      expect(
        providers.get(provider)!.verifySecret(notification({ ...data, ref: 'refs/heads/evil' }, headers), secret),
      ).toBe(false);
  });

  it("a signature of a form's JSON text is accepted, too", () => {
    const form: Notification = {
      headers: { 'x-pagure-signature-256': hmac('sha256') },
      raw: Buffer.from(`payload=${encodeURIComponent(text)}`),
      json: text,
      data,
    };
    expect(providers.get('pagure')!.verifySecret(form, secret)).toBe(true);
  });

  it('signatures with a time expire', () => {
    const old = String(Date.now() - 2 * 3600_000);
    const token = createHmac('sha256', secret).update(`${old}\n${secret}`).digest('base64');
    expect(
      providers
        .get('gitee')!
        .verifySecret(notification(data, { 'x-gitee-timestamp': old, 'x-gitee-token': token }), secret),
    ).toBe(false);
    const oldSeconds = String(Math.floor(Number(old) / 1000));
    const headers = {
      'webhook-id': 'm',
      'webhook-timestamp': oldSeconds,
      'webhook-signature': standardSignature(secret, 'm', oldSeconds, text),
    };
    expect(providers.get('gitlab')!.verifySecret(notification(data, headers), secret)).toBe(false);
  });

  it('older versions of Gitea send the secret in the payload', () => {
    expect(providers.get('gitea')!.verifySecret(notification(payloads.giteaPush), payloads.giteaPush.secret)).toBe(
      true,
    );
  });
});

describe('delivery ids', () => {
  it.each([
    ['github', payloads.githubPush, { 'x-github-delivery': 'g-1' }, 'g-1'],
    ['gitlab', payloads.gitlabPush, { 'idempotency-key': 'k-1', 'x-gitlab-event-uuid': 'e-1' }, 'k-1'],
    ['bitbucket', payloads.bitbucketCloudPush, { 'x-request-uuid': 'b-1' }, 'b-1'],
    ['bitbucket', payloads.bitbucketServerPush, { 'x-request-id': 'b-2' }, 'b-2'],
    ['gitea', payloads.giteaPush, { 'x-gitea-delivery': 't-1' }, 't-1'],
    ['forgejo', payloads.giteaPush, { 'x-forgejo-delivery': 'f-1', 'x-gitea-delivery': 't-1' }, 'f-1'],
    ['pagure', payloads.pagurePush, {}, '2018-d5b6ee68-59a1-4c2f-bd0a-4ee0ea9cf0d4'],
    ['azure', payloads.azurePush, {}, '00000000-0000-0000-0000-000000000000:03c164c2-8912-4d5e-8009-3707d5f83734'],
    ['gitee', payloads.giteePush, {}, ''],
  ])('the delivery id of %s is found', (provider, data, headers, id) => {
    expect(providers.get(provider)!.deliveryId(notification(data, headers as Record<string, string>))).toBe(id);
  });
});
