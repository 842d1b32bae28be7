import { ServiceError } from '@parlance/errors';

/** Whether a path belongs to a repository for git clients: they get a password prompt and errors as plain text. */
export const isGitPath = (path: string): boolean => path.startsWith('/git/');

/** WWW-Authenticate header that makes git ask for a password. */
export const PASSWORD_WANTED = 'Basic realm="Parlance", charset="UTF-8"';

/** Paths that git requests below the address of a repository. */
const inRepository = /^\/git\/([^/]+)\/([^/]+(?:\/[^/]+)*?)\/(info\/refs|git-upload-pack|git-receive-pack)\/?$/;

/** Encodes a git client's path for the router: the unencoded categories of a component and its slug become one segment. */
export function routedGitPath(path: string): string {
  const [, project, component, request] = inRepository.exec(path) ?? [];
  return component === undefined ? path : `/git/${project}/${component.replaceAll('/', '%2F')}/${request}`;
}

/** Converts 404 to 401 for anonymous git clients: signing in could help, whether or not the repository exists. */
export function requireSignIn(error: unknown): unknown {
  return error instanceof ServiceError && error.reason === 'NOT_FOUND'
    ? new ServiceError('NOT_AUTHENTICATED', { cause: error })
    : error;
}
