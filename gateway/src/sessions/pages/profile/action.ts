import { seeOther } from '../../../pages/rendering/reply';
import type { Call, Reply } from '../../../routing/call';
import type { Session } from '../../browser';
import type { FormValues } from '../form-values';
import { PROFILE } from '../sign-in';

/** Handles a form of the profile page. */
export type ProfileAction = (call: Call, session: Session, form: FormValues) => Promise<Reply>;

/** Leads back to a section of the page. @param what key of the displayed message */
export const done = (call: Call, what: string, section: string): Reply =>
  seeOther(`${call.site.root}${PROFILE}?done=${what}#${section}`);

/** The password or the code that a form contains. */
export function proofOf(form: FormValues): { password: string } | { code: string } {
  const given = form.text('password');
  // A password has at least eight characters.
  return /^\d{3} ?\d{3}$/.test(given.trim()) ? { code: given.trim() } : { password: given };
}
