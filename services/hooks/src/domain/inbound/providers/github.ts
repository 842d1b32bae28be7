import { Payload } from '../payload';
import { branchOf, push, usualUrls, withAndWithoutGit, type Provider } from '../push';
import { hasHeader, hexSignatureMatches } from '../signature';

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#push ; the retired services sent the owner's name and no clone_url. */
export const github: Provider = {
  id: 'github',
  name: 'GitHub',

  parse({ headers, data }) {
    if (headers['x-github-event'] !== 'push') return null;
    const payload = Payload.of(data);
    const repository = payload.at('repository').needed();
    const owner = repository.at('owner', 'login').text || repository.at('owner', 'name').neededText;
    const fullName = `${owner}/${repository.at('name').neededText}`;
    const branch = branchOf(payload.at('ref').neededText);
    const given = ['clone_url', 'git_url', 'ssh_url', 'svn_url', 'html_url', 'url'].map(
      (key) => repository.at(key).text,
    );
    const urls = repository.at('clone_url').present ? given : [...given, ...usualUrls('github.com', fullName)];
    return push([branch], fullName, withAndWithoutGit(urls));
  },

  verifySecret: (notification, secret) =>
    hexSignatureMatches(notification, 'x-hub-signature-256', 'sha256', secret) ||
    hexSignatureMatches(notification, 'x-hub-signature', 'sha1', secret),

  signsBody: hasHeader(['x-hub-signature-256', 'x-hub-signature']),

  deliveryId: ({ headers }) => headers['x-github-delivery'] ?? '',
};
