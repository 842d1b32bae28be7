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
  const given = repository.at('full_name').text || repository.at('fullName').text;
  if (given) return given;
  const slug = repository.at('slug').neededText;
  const owner =
    repository.at('owner').text || repository.at('owner', 'nickname').text || repository.at('owner', 'username').text;
  return `${owner || repository.at('project', 'key').neededText}/${slug}`;
}

/** The branch or tag of a change in the forms of Cloud, of Data Center and of the old services; '' if it has no name. */
function referenceOf(change: Payload): string {
  const name = change.at('new', 'name').text || change.at('old', 'name').text || change.at('ref', 'displayId').text;
  const types = [change.at('new', 'type').text, change.at('old', 'type').text, change.at('ref', 'type').text];
  if (name && types.some((type) => type.toLowerCase() === 'tag')) return `refs/tags/${name}`;
  return name || branchOf(change.at('refId').text);
}

/** Branches and tags by every payload form: changes, the old services' commits, merged pull requests. */
function referencesOf(payload: Payload): string[] {
  const changes = [
    ...payload.at('push', 'changes').items,
    ...payload.at('changes').items,
    ...payload.at('refChanges').items,
  ];
  const names = [
    payload.at('pullrequest', 'destination', 'branch', 'name'),
    payload.at('pullRequest', 'toRef', 'displayId'),
    // Of several commits, the old service names the branch only for the last one.
    ...payload.at('commits').items.map((commit) => commit.at('branch')),
  ];
  return [...changes.map(referenceOf), ...names.filter((name) => name.present).map((name) => name.text)];
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
    return push(referencesOf(payload), fullName, withAndWithoutGit(clone.length > 0 ? clone : guessed));
  },

  // Cloud and Data Center both name the algorithm in this header.
  verifySecret: (notification, secret) => hexSignatureMatches(notification, 'x-hub-signature', 'sha256', secret),

  signsBody: hasHeader(['x-hub-signature']),

  deliveryId: ({ headers }) => headers['x-request-uuid'] ?? headers['x-request-id'] ?? '',
};
