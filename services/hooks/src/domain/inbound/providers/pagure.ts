import { Payload } from '../payload';
import { branchOf, hostOf, push, type Provider } from '../push';
import { hasHeader, hexSignatureMatches } from '../signature';

/** https://docs.pagure.org/pagure/usage/using_webhooks.html */
export const pagure: Provider = {
  id: 'pagure',
  name: 'Pagure',

  parse({ data }) {
    const payload = Payload.of(data);
    const message = payload.at('msg');
    if (payload.at('topic').text !== 'git.receive' || !message.present) return null;
    const fullName = message.at('project_fullname').neededText;
    const host = hostOf(message.at('pagure_instance').neededText);
    const urls = ['https://', 'ssh://git@'].flatMap((start) => [
      `${start}${host}/${fullName}`,
      `${start}${host}/${fullName}.git`,
    ]);
    return push([branchOf(message.at('branch').neededText)], fullName, host ? urls : []);
  },

  verifySecret: (notification, secret) =>
    hexSignatureMatches(notification, 'x-pagure-signature-256', 'sha256', secret) ||
    hexSignatureMatches(notification, 'x-pagure-signature', 'sha1', secret),

  signsBody: hasHeader(['x-pagure-signature-256', 'x-pagure-signature']),

  deliveryId: ({ data }) => Payload.of(data).at('msg_id').text,
};
