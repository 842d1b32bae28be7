import { Payload } from '../payload';
import { branchOf, push, withAndWithoutGit, type Provider } from '../push';
import { headerIsSecret, standardSignatureMatches } from '../signature';

/** Events that move a reference; others (jobs) only mention one. The oldest versions send no kind. */
const KINDS = new Set(['', 'push', 'tag_push']);

/** https://docs.gitlab.com/user/project/integrations/webhook_events/#push-events ; older versions sent no `project`. */
export const gitlab: Provider = {
  id: 'gitlab',
  name: 'GitLab',

  parse({ data }) {
    const payload = Payload.of(data);
    if (!payload.at('ref').present || !KINDS.has(payload.at('object_kind').text)) return null;
    const repository = payload.at('repository').needed();
    const project = payload.at('project');
    const homepage = repository.at('homepage').text;
    const urls = [
      repository.at('url').text,
      homepage,
      homepage && `${homepage}.git`,
      ...['git_http_url', 'git_ssh_url'].map((key) => repository.at(key).text),
      ...['git_http_url', 'git_ssh_url', 'http_url', 'ssh_url', 'url', 'web_url'].map((key) => project.at(key).text),
    ];
    return push(
      [branchOf(payload.at('ref').neededText)],
      project.at('path_with_namespace').text,
      withAndWithoutGit(urls),
    );
  },

  // Either the secret token, or the newer signing token.
  verifySecret: (notification, secret) =>
    headerIsSecret(notification.headers['x-gitlab-token'], secret) || standardSignatureMatches(notification, secret),

  // Retries share the idempotency key; several hooks for one event share the event's id.
  deliveryId: ({ headers }) =>
    headers['idempotency-key'] ??
    headers['webhook-id'] ??
    headers['x-gitlab-webhook-uuid']?.concat(':', headers['x-gitlab-event-uuid'] ?? '') ??
    '',
};
