export { type SshOptions } from './connection';
export { GitError, isGitError, MergeConflictError, redact, type GitProblem } from './errors';
export { isBranchName, isRepositoryPath } from './names';
export { blobHash } from './parse';
export {
  formatRemoteUrl,
  parseRemoteUrl,
  pinnedAddresses,
  redactRemoteUrl,
  type RemotePolicy,
  type RemoteProtocol,
  type RemoteUrl,
} from './remote-url';
export { GitRepository, type GitOperation, type GitOptions } from './repository';
export { describeStatus, type RepositoryStatus } from './status';
export type * from './types';
export { packet, uploadPack, type UploadPackRequest } from './upload-pack';
