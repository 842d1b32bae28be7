import { Payload } from '../payload';
import { branchOf, hostOf, push, usualUrls, withAndWithoutGit, type Provider } from '../push';
import { hasHeader, hexSignatureMatches } from '../signature';

/** Events that add commits to a branch: Cloud's and Data Center's names for a push and a merge, and a synchronized mirror. */
const EVENTS = new Set([
  'repo:push',
  'repo:refs_changed',
  'pullrequest:fulfilled',
  'pr:merged',
  'mirror:repo_synchronized',
]);

function fullNameOf(repository: Payload): string {
  const stated = repository.at('full_name').text || repository.at('fullName').text;
  if (stated) return stated;
  const slug = repository.at('slug').neededText;
  const owner =
    repository.at('owner').text || repository.at('owner', 'nickname').text || repository.at('owner', 'username').text;
  return `${owner || repository.at('project', 'key').neededText}/${slug}`;
}

/** Branches by every payload form: Cloud's and Data Center's changes, the old services' commits and references, merged pull requests. */
function branchesOf(payload: Payload): string[] {
  const changed = [
    ...payload.at('push', 'changes').items,
    ...payload.at('changes').items,
    ...payload.at('refChanges').items,
  ].map(
    (change) =>
      change.at('new', 'name').text ||
      change.at('old', 'name').text ||
      change.at('ref', 'displayId').text ||
      branchOf(change.at('refId').text),
  );
  const merged = [
    payload.at('pullrequest', 'destination', 'branch', 'name').text,
    payload.at('pullRequest', 'toRef', 'displayId').text,
  ];
  const commits = payload.at('commits').items.map((commit) => commit.at('branch').text);
  return [...changed, ...merged, ...commits];
}

/**
 * https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/ ,
 * https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html , and their predecessors without an event header:
 * Cloud's POST service (a form) and
 * https://confluence.atlassian.com/bitbucketserver/post-service-webhook-for-bitbucket-server-776640367.html
 */
export const bitbucket: Provider = {
  id: 'bitbucket',
  name: 'Bitbucket',

  parse({ headers, data }) {
    const payload = Payload.of(data);
    const event = headers['x-event-key'];
    if (event !== undefined ? !EVENTS.has(event) : payload.at('test').present) return null;
    const pullRequest = payload.at('pullRequest');
    const merged = pullRequest.at('toRef', 'repository').present
      ? pullRequest.at('toRef', 'repository')
      : pullRequest.at('fromRef', 'repository');
    const repository = (
      payload.at('repository').present ? payload.at('repository') : merged.present ? merged : payload.at('repository')
    ).needed();
    const fullName = fullNameOf(repository);
    const links = repository.at('links');
    const clone = links.at('clone').items.map((link) => link.at('href').text);
    const hosts = [
      links.at('html', 'href').text,
      ...links.at('self').items.map((link) => link.at('href').text),
      payload.at('canon_url').text,
    ].map(hostOf);
    const guessed = ['bitbucket.org', ...hosts.filter(Boolean)].flatMap((host) => usualUrls(host, fullName));
    return push(branchesOf(payload), fullName, withAndWithoutGit(clone.length > 0 ? clone : guessed));
  },

  // Cloud and Data Center both name the algorithm in this header.
  verifySecret: (notification, secret) => hexSignatureMatches(notification, 'x-hub-signature', 'sha256', secret),

  signsBody: hasHeader(['x-hub-signature']),

  deliveryId: ({ headers }) => headers['x-request-uuid'] ?? headers['x-request-id'] ?? '',
};
