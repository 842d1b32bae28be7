import type { FieldProblem } from '@parlance/errors';

/** Format of the body: the change as JSON, or a Slack message. */
export type PayloadKind = 'change' | 'slack';

/** A destination of changes. */
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
  /** Sealed; '' if deliveries are not signed. */
  sealedSecret: string;
  enabled: boolean;
  kind: PayloadKind;
  /** Add-on that owns it; 0: none. */
  addonId: number;
  createdMs: number;
  lastSuccessMs: number;
  lastFailureMs: number;
  /** Time up to which changes were processed, milliseconds since the epoch. */
  seenMs: number;
}

const MAX_URL = 2000;
const MAX_SECRET = 255;
const MAX_EVENTS = 200;

/** Problems of a caller's input; missing fields are not checked. */
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
      add('webhook_url', 'invalid', 'The address must use http or https.');
    else if (parsed.username || parsed.password)
      add('webhook_url', 'invalid', 'The address must not contain credentials; use the secret.');
    else if (isRefused(parsed.hostname))
      add('webhook_url', 'invalid', 'Addresses of private networks are not allowed.');
  }
  if (events && events.length > MAX_EVENTS) add('events', 'max_length', `At most ${MAX_EVENTS} actions are allowed.`);
  events?.slice(0, MAX_EVENTS).forEach((action, i) => {
    if (!Number.isInteger(action) || action < 0 || action > 999)
      add(`events.${i}`, 'invalid_choice', 'The value is not an action number.');
  });
  if (secret !== undefined && secret.length > MAX_SECRET)
    add('secret', 'max_length', `A secret has at most ${MAX_SECRET} characters.`);
  if (secret?.startsWith('whsec_') && Buffer.from(secret.slice(6), 'base64').length < 16) {
    add('secret', 'invalid', 'A secret with the prefix whsec_ requires at least 16 bytes in base64.');
  }
  return problems;
}

/** Whether a subscription selects a change. */
export function matchesChange(
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
