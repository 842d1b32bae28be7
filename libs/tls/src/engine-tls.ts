// Certificates of connections to engines. The decision: docs/adr/0057-reload-certificates-for-engines-through-one-secure-context.md.
import { readFileSync } from 'node:fs';
import { rootCertificates, type SecureContext } from 'node:tls';
import { CertificateWatcher, type CertificateFiles } from './certificate-watcher';

/** The client certificate for engines, and the authorities that sign the certificates of engines. */
export class EngineTls extends CertificateWatcher {
  /**
   * Option of `tls.connect`. Node.js reads its native context whenever it connects, so clients that keep their options always connect
   * with the current files.
   */
  readonly secureContext: SecureContext;

  /** @throws if the files are not usable */
  constructor(files: CertificateFiles, reloadMs?: number) {
    super(files, { name: 'engines', connections: 'engines', authorities: defaultAuthorities }, reloadMs);
    this.secureContext = new CurrentContext(this);
  }
}

// A class, because mongoose copies plain objects in options, and a copy would keep its first context.
class CurrentContext implements SecureContext {
  constructor(private readonly watcher: CertificateWatcher) {}

  get context(): unknown {
    return this.watcher.context.context;
  }
}

/** The authorities that Node.js trusts by itself: the option `ca` replaces them. */
function defaultAuthorities(): string[] {
  const extra = process.env['NODE_EXTRA_CA_CERTS'];
  if (!extra) return [...rootCertificates];
  try {
    return [...rootCertificates, readFileSync(extra, 'utf8')];
  } catch {
    // Node.js warns of the unreadable file at start and continues without it.
    return [...rootCertificates];
  }
}

const opened = new Map<string, EngineTls>();

/**
 * The certificates in some files, shared by all clients of the process.
 * @throws if the files are not usable
 */
export function engineTls(files: CertificateFiles): EngineTls {
  const key = JSON.stringify([files.certFile, files.keyFile, files.caFile]);
  const existing = opened.get(key);
  if (existing) return existing;
  const tls = new EngineTls(files);
  opened.set(key, tls);
  return tls;
}
