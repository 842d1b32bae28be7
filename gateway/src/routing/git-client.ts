import { ServiceError } from '@parlance/errors';

/** Whether a path belongs to a repository that git clients read: they are asked for a password, and shown errors as text. */
export const isGitPath = (path: string): boolean => path.startsWith('/git/');

/** Header WWW-Authenticate that makes git ask for a password. */
export const PASSWORD_WANTED = 'Basic realm="Parlance", charset="UTF-8"';

/** What git asks for below the address of a repository. */
const inRepository = /^\/git\/([^/]+)\/([^/]+(?:\/[^/]+)*?)\/(info\/refs|git-upload-pack|git-receive-pack)\/?$/;

/** A path of a git client as the router reads it: a component's categories, which stand before it as they are, become one part with it. */
export function routedGitPath(path: string): string {
  const [, project, component, request] = inRepository.exec(path) ?? [];
  return component === undefined ? path : `/git/${project}/${component.replaceAll('/', '%2F')}/${request}`;
}

/** What somebody is told whom nobody knows yet where there is nothing for everybody: signing in could help, whatever is there or not. */
export function unknownToNobody(error: unknown): unknown {
  return error instanceof ServiceError && error.reason === 'NOT_FOUND'
    ? new ServiceError('NOT_AUTHENTICATED', { cause: error })
    : error;
}
