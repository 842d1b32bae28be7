import { PayloadError } from './payload';

/** A push notification: a repository has new commits. */
export interface Push {
  /**
   * Branches with new commits. Empty if the notification names none: then every branch of the repository matches. A push of tags
   * only has one tag as full reference, which matches no branch.
   */
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

/** A git host (`provider` in paths, metrics and code): how its notifications are parsed and authenticated. */
export interface Provider {
  /** Path segment. */
  id: string;
  /** Display name. */
  name: string;
  /**
   * The push of a notification, or null for other events (pings, issues ...), which are answered like a ping. A push of a
   * tag is a push.
   * @throws PayloadError if it is incomplete
   */
  parse(notification: Notification): Push | null;
  /**
   * Whether the notification proves that its sender knows the secret of a project. The caller tries the secret of every matching project,
   * and a sender may use the form of any git host. An accepted proof must therefore require the secret.
   */
  verifySecret(notification: Notification, secret: string): boolean;
  /**
   * Whether the signature of the notification covers only the body. Such a signature never expires, so the service stores a digest of the
   * JSON text and accepts each text once in 24 hours. Omit it if the proof contains the secret itself or a signed time: equal pushes within
   * 24 hours would be dropped as replays.
   */
  signsBody?(notification: Notification): boolean;
  /** The provider's id of this delivery, equal for repetitions; '' for none. */
  deliveryId(notification: Notification): string;
}

/** The name of a branch from a reference. Other references (refs/tags/...) stay as they are and match no branch. */
export function branchOf(reference: string): string {
  return reference.startsWith('refs/heads/') ? reference.slice('refs/heads/'.length) : reference;
}

/** Bounds the calls to the catalog: one for each branch. */
const MAX_BRANCHES = 20;

const withoutEmpty = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))];

/**
 * A push without duplicates; the catalog accepts at most 100 addresses.
 *
 * @param references results of {@link branchOf}; an empty list if the notification has no place for them
 * @throws PayloadError if all references are empty: without a branch, the push would match every branch
 */
export function push(references: readonly string[], fullName: string, urls: readonly string[]): Push {
  const named = withoutEmpty(references);
  if (references.length > 0 && named.length === 0)
    throw new PayloadError('The name of a branch is missing from the payload.');
  const branches = named.filter((name) => !name.startsWith('refs/'));
  return {
    // Tags count only if there is no branch: they must not take the place of one.
    branches: branches.length > 0 ? branches.slice(0, MAX_BRANCHES) : named.slice(0, 1),
    fullName,
    candidateUrls: withoutEmpty(urls).slice(0, 100),
  };
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
