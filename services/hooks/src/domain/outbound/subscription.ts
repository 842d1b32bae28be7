import type { FieldProblem } from '@parlance/errors';

/** Format of the body: the change as JSON, or a Slack message. */
export type PayloadKind = 'change' | 'slack';

/** Where changes are sent. */
export interface Subscription {
  id: number;
  version: number;
  /** 0: the whole site. */
  projectId: number;
  /** 0: the whole project. */
  componentId: number;
  url: string;
  /** Action numbers; empty: all. */
  events: number[];
  /** Sealed; '' when deliveries are not signed. */
  sealedSecret: string;
  enabled: boolean;
  kind: PayloadKind;
  /** Add-on that it belongs to; 0: none. */
  addonId: number;
  createdMs: number;
  lastSuccessMs: number;
  lastFailureMs: number;
  /** Changes up to this time have been looked at, milliseconds since the epoch. */
  seenMs: number;
}

const MAX_URL = 2000;
const MAX_SECRET = 255;
const MAX_EVENTS = 200;

/** Problems of a caller's input; missing fields are not checked. Some hosts are not allowed. */
export function subscriptionProblems(
  given: { url?: string; events?: readonly number[]; secret?: string },
  isRefused: (host: string) => boolean = () => false,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const add = (attr: string, code: string, detail: string) => problems.push({ attr, code, detail });
  const { url, events, secret } = given;
  if (url === '') add('webhook_url', 'required', 'An address is required.');
  else if (url !== undefined) {
    const parsed = url.length <= MAX_URL && URL.canParse(url) ? new URL(url) : undefined;
    if (!parsed || !/^https?:$/.test(parsed.protocol))
      add('webhook_url', 'invalid', 'This is not an http or https address.');
    else if (parsed.username || parsed.password)
      add('webhook_url', 'invalid', 'Credentials do not belong into the address; use the secret.');
    else if (isRefused(parsed.hostname))
      add('webhook_url', 'invalid', 'Addresses of private networks are not allowed.');
  }
  if (events && events.length > MAX_EVENTS) add('events', 'max_length', `At most ${MAX_EVENTS} actions can be chosen.`);
  events?.slice(0, MAX_EVENTS).forEach((action, i) => {
    if (!Number.isInteger(action) || action < 0 || action > 999)
      add(`events.${i}`, 'invalid_choice', 'This is not the number of an action.');
  });
  if (secret !== undefined && secret.length > MAX_SECRET)
    add('secret', 'max_length', `A secret has at most ${MAX_SECRET} characters.`);
  if (secret?.startsWith('whsec_') && Buffer.from(secret.slice(6), 'base64').length < 16) {
    add('secret', 'invalid', 'Behind whsec_ at least 16 bytes in base64 are needed.');
  }
  return problems;
}

/** Whether a subscription asks for a change. */
export function wants(
  subscription: Subscription,
  change: { projectId: number; componentId: number; action: number },
): boolean {
  return (
    subscription.enabled &&
    (subscription.projectId === 0 || subscription.projectId === change.projectId) &&
    (subscription.componentId === 0 || subscription.componentId === change.componentId) &&
    (subscription.events.length === 0 || subscription.events.includes(change.action))
  );
}
