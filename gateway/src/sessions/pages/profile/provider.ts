import type { Call } from '../../../routing/call';
import { privatePage } from '../../../pages/rendering/reply';
import type { Session } from '../../browser';
import { LINKING, redirectUri } from '../external-addresses';
import type { FormMaker, PageForm } from '../form-values';
import { done, proofOf, type ProfileAction } from './action';
import { proofField } from './factor-forms';
import { signInProtection } from '../sign-in-form';

/** The provider on the profile page. */
interface ProviderSection {
  name: string;
  isLinked: boolean;
  form: PageForm;
}

/** The section about the OpenID Connect provider; undefined if the site has none. */
export async function providerSection(
  call: Call,
  { userId }: Session,
  form: FormMaker,
): Promise<{ section?: ProviderSection; others: string[] }> {
  const name = call.site.providerName;
  if (name === undefined) return { others: [] };
  const { issuer } = await call.clients.identity.getExternalLink({ userId }, call.options);
  const isLinked = issuer !== '';
  const made = isLinked
    ? form('remove-link', [proofField], 'Remove the link')
    : form('start-link', [proofField], `Link with ${name}`);
  return { section: { name, isLinked, form: made.form }, others: made.others };
}

/** Forms of the provider, by the value of their field `action`. */
export const providerActions: Readonly<Record<string, ProfileAction>> = {
  async 'start-link'(call, { userId }, form) {
    const request = { userId, redirectUri: redirectUri(call), next: LINKING, ...proofOf(form) };
    const { address, secret } = await call.clients.identity.startExternalLink(request, call.options);
    const name = call.site.providerName ?? '';
    const links = [{ text: `Continue to ${name}`, href: address }];
    // Not a redirect: `form-action 'self'` applies to all redirects of a form.
    const more = { headers: { Refresh: `0;url=${address}` }, cookies: [signInProtection(call, secret).cookie] };
    return privatePage(call, 'form', { title: `Link with ${name}`, links }, more);
  },

  async 'remove-link'(call, { userId }, form) {
    await call.clients.identity.removeExternalLink({ userId, ...proofOf(form) }, call.options);
    return done(call, 'unlinked', 'provider');
  },
};
