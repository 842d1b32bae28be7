import { createHmac } from 'node:crypto';
import { Payload } from '../payload';
import { branchOf, push, withAndWithoutGit, type Provider } from '../push';
import { headerIsSecret, isRecent, sameText } from '../signature';

/** https://help.gitee.com/webhook/gitee-webhook-push-data-format */
export const gitee: Provider = {
  id: 'gitee',
  name: 'Gitee',

  parse({ headers, data }) {
    const payload = Payload.of(data);
    const event = headers['x-gitee-event'];
    if (headers['x-gitee-ping'] === 'true' || (event !== undefined && !/^(tag )?push hook$/i.test(event))) return null;
    const repository = payload.at('repository').needed();
    const urls = ['git_http_url', 'git_ssh_url', 'git_url', 'ssh_url', 'html_url'].map(
      (key) => repository.at(key).text,
    );
    return push(
      [branchOf(payload.at('ref').neededText)],
      repository.at('path_with_namespace').neededText,
      withAndWithoutGit(urls),
    );
  },

  verifySecret({ headers }, secret) {
    const token = headers['x-gitee-token'] ?? '';
    // A hook has either a password, sent in clear text, or a key that signs the time of sending.
    if (headerIsSecret(token, secret)) return true;
    const time = headers['x-gitee-timestamp'] ?? '';
    if (!/^\d{10,16}$/.test(time) || !isRecent(Number(time))) return false;
    return sameText(token, createHmac('sha256', secret).update(`${time}\n${secret}`).digest('base64'));
  },

  deliveryId: () => '',
};
