export { CertificateWatcher, type CertificateFiles, type WatcherOptions } from './certificate-watcher';
export { EngineTls, engineTls } from './engine-tls';
