export { TestAuthority, type CertificateFiles } from './certificates';
export { engines, type Engines } from './engines';
export { GitRemote, type CommitInfo, type CommitOptions, type Files } from './git-remote';
export { delayBound, measureDelay, type LoopDelay } from './loop-delay';
export { fieldsOf, problemsOf, reasonOf } from './rejections';
export { TcpRelay } from './tcp-relay';
export { SoftwareSecurityKey } from './security-key';
export { cmapTable, sampleFont, sampleWoff2, type SampleFont } from './sample-font';
