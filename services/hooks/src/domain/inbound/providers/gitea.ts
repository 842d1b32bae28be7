import { Payload } from '../payload';
import { branchOf, push, withAndWithoutGit, type Notification, type Provider, type Push } from '../push';
import { hasHeader, hexSignatureMatches, sameText } from '../signature';

function parse(events: readonly string[], { headers, data }: Notification): Push | null {
  const event = events.map((name) => headers[name]).find((value) => value !== undefined);
  if (event !== undefined && event !== 'push') return null;
  const payload = Payload.of(data);
  const repository = payload.at('repository').needed();
  const urls = ['clone_url', 'ssh_url', 'html_url'].map((key) => repository.at(key).text);
  return push([branchOf(payload.at('ref').neededText)], repository.at('full_name').neededText, withAndWithoutGit(urls));
}

const giteaSignatures = ['x-gitea-signature', 'x-hub-signature-256', 'x-gogs-signature'];
const forgejoSignatures = ['x-forgejo-signature', ...giteaSignatures];

const proves = (signatures: readonly string[]) => (notification: Notification, secret: string) =>
  signatures.some((header) => hexSignatureMatches(notification, header, 'sha256', secret)) ||
  // Versions before 1.14 send the secret itself in the payload.
  sameText(Payload.of(notification.data).at('secret').text, secret);

/** https://docs.gitea.com/usage/webhooks */
export const gitea: Provider = {
  id: 'gitea',
  name: 'Gitea',
  parse: (notification) => parse(['x-gitea-event', 'x-gogs-event'], notification),
  verifySecret: proves(giteaSignatures),
  signsBody: hasHeader(giteaSignatures),
  deliveryId: ({ headers }) => headers['x-gitea-delivery'] ?? headers['x-gogs-delivery'] ?? '',
};

/** https://forgejo.org/docs/latest/user/webhooks/ ; it also sends Gitea's headers. */
export const forgejo: Provider = {
  id: 'forgejo',
  name: 'Forgejo',
  parse: (notification) => parse(['x-forgejo-event', 'x-gitea-event', 'x-gogs-event'], notification),
  verifySecret: proves(forgejoSignatures),
  signsBody: hasHeader(forgejoSignatures),
  deliveryId: ({ headers }) =>
    headers['x-forgejo-delivery'] ?? headers['x-gitea-delivery'] ?? headers['x-gogs-delivery'] ?? '',
};
