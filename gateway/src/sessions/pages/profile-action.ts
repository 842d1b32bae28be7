import { seeOther } from '../../pages/rendering/reply';
import type { Call, Reply } from '../../routing/call';
import type { Session } from '../browser';
import type { FormValues } from './form-values';
import { PROFILE } from './sign-in';

/** Handles a form of the profile page. */
export type ProfileAction = (call: Call, session: Session, form: FormValues) => Promise<Reply>;

/** Leads back to a section of the page. @param what key of the message that it shows */
export const done = (call: Call, what: string, section: string): Reply =>
  seeOther(`${call.site.root}${PROFILE}?done=${what}#${section}`);
