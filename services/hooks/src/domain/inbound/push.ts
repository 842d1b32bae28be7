/** What a notification says: a repository has new commits. */
export interface Push {
  /** Branches that have them; empty: not stated. */
  branches: string[];
  /** owner/name; '' when it is not known. */
  fullName: string;
  /** Addresses under which the repository can be reached; each once. */
  candidateUrls: string[];
}

/** A notification as it came. */
export interface Notification {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body's bytes. */
  raw: Uint8Array;
  /** The JSON text: the body itself or the form's payload. */
  json: string;
  /** What the JSON text says; an object. */
  data: unknown;
}

/** A git host whose notifications are understood. */
export interface Provider {
  /** Path segment. */
  id: string;
  /** As people know it. */
  name: string;
  /**
   * The push that a notification announces, or null when it is about something else (pings, issues, tags ...).
   * @throws PayloadError when it is incomplete
   */
  parse(notification: Notification): Push | null;
  /** Whether the notification proves that its sender knows the secret, in the provider's own way. */
  proves(notification: Notification, secret: string): boolean;
  /**
   * Whether a proof may be a signature of the body alone: it has no age, so whoever once saw the delivery could send it again under
   * another id. Proofs that hold the secret itself or a time are none.
   */
  signsBody?(notification: Notification): boolean;
  /** What the provider itself calls this delivery, the same when it is sent again; '' when it does not say. */
  deliveryId(notification: Notification): string;
}

/** The name of a branch from a reference; other references (tags) stay as they are and match no branch. */
export function branchOf(reference: string): string {
  return reference.startsWith('refs/heads/') ? reference.slice('refs/heads/'.length) : reference;
}

const MAX_BRANCHES = 20;

/** A push with everything stated once; the catalog takes at most 100 addresses. */
export function push(branches: readonly string[], fullName: string, urls: readonly string[]): Push {
  const stated = (texts: readonly string[]) => [...new Set(texts.filter((t) => t !== ''))];
  return { branches: stated(branches).slice(0, MAX_BRANCHES), fullName, candidateUrls: stated(urls).slice(0, 100) };
}

/** Each address with, where it ends in .git, the same without. */
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

/** The host of an address; '' when it is none. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
