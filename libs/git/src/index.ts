export { type SshOptions } from './remote/connection';
export { diskFullOr, GitError, isGitError, MergeConflictError, redact, type GitProblem } from './errors';
export { isBranchName, isRepositoryPath } from './names';
export { blobHash } from './objects/parse';
export {
  formatRemoteUrl,
  parseRemoteUrl,
  pinnedAddresses,
  redactRemoteUrl,
  type RemotePolicy,
  type RemoteProtocol,
  type RemoteUrl,
} from './remote/remote-url';
export { type GitOperation, type GitOptions } from './options';
export { GitRepository } from './repository';
export { describeStatus, type RepositoryStatus } from './status';
export type * from './types';
export { packet, uploadPack, type UploadPackRequest } from './remote/upload-pack';
