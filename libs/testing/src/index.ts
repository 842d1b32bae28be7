export { engines, type Engines } from './engines';
export { GitRemote, type CommitInfo, type CommitOptions, type Files } from './git-remote';
export { TcpRelay } from './tcp-relay';
