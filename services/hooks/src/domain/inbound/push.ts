/** A push notification: a repository has new commits. */
export interface Push {
  /** Branches with new commits; empty if the notification does not name them. */
  branches: string[];
  /** owner/name; '' if unknown. */
  fullName: string;
  /** Addresses of the repository, without duplicates. */
  candidateUrls: string[];
}

/** A notification as received. */
export interface Notification {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body's bytes. */
  raw: Uint8Array;
  /** The JSON text: the body itself or the form's payload. */
  json: string;
  /** The parsed JSON; an object. */
  data: unknown;
}

/** A git host: how its notifications are parsed and authenticated. */
export interface Provider {
  /** Path segment. */
  id: string;
  /** Display name. */
  name: string;
  /**
   * The push of a notification, or null for other events (pings, issues, tags ...).
   * @throws PayloadError if it is incomplete
   */
  parse(notification: Notification): Push | null;
  /** Whether the notification proves that its sender knows the secret, in the provider's own way. */
  verifySecret(notification: Notification, secret: string): boolean;
  /**
   * Whether the proof may be a signature of the body alone. It does not expire, so an observer could replay the delivery under
   * another id. Proofs with the secret itself or a time are not such signatures.
   */
  signsBody?(notification: Notification): boolean;
  /** The provider's id of this delivery, equal for repetitions; '' for none. */
  deliveryId(notification: Notification): string;
}

/** The name of a branch from a reference; other references (tags) are unchanged and match no branch. */
export function branchOf(reference: string): string {
  return reference.startsWith('refs/heads/') ? reference.slice('refs/heads/'.length) : reference;
}

const MAX_BRANCHES = 20;

/** A push without duplicates; the catalog accepts at most 100 addresses. */
export function push(branches: readonly string[], fullName: string, urls: readonly string[]): Push {
  const stated = (texts: readonly string[]) => [...new Set(texts.filter((t) => t !== ''))];
  return { branches: stated(branches).slice(0, MAX_BRANCHES), fullName, candidateUrls: stated(urls).slice(0, 100) };
}

/** Adds, for each address that ends in .git, the address without this suffix. */
export function withAndWithoutGit(urls: readonly string[]): string[] {
  return urls.flatMap((url) => (url.endsWith('.git') ? [url, url.slice(0, -4)] : [url]));
}

/** The usual addresses of a repository on a host. */
export function usualUrls(host: string, fullName: string): string[] {
  return [
    `https://${host}/${fullName}.git`,
    `ssh://git@${host}/${fullName}.git`,
    `git@${host}:${fullName}.git`,
    `git://${host}/${fullName}.git`,
  ];
}

/** The host of an address; '' for an invalid address. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
