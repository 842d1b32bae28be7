import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Paths of PEM files. */
export interface CertificateFiles {
  certFile: string;
  keyFile: string;
  caFile: string;
}

const openssl = (...args: string[]): void => {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
};

const makeKey = (path: string): void => openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', path);

/** A certificate authority in a temporary folder. Needs `openssl`. */
export class TestAuthority {
  readonly folder = mkdtempSync(join(tmpdir(), 'parlance-ca-'));
  readonly caFile = join(this.folder, 'ca.crt');
  private readonly caKey = join(this.folder, 'ca.key');

  constructor() {
    makeKey(this.caKey);
    openssl(
      'req',
      '-x509',
      '-new',
      '-key',
      this.caKey,
      '-subj',
      '/CN=Parlance test',
      '-days',
      '30',
      '-out',
      this.caFile,
    );
  }

  /**
   * Issues a certificate, in place of an earlier one of the same name.
   * @param options.hosts alternative names; default the loopback address and name
   * @param options.days validity; a negative number for an expired certificate
   */
  issue(
    name: string,
    { hosts = ['IP:127.0.0.1', 'DNS:localhost'], days = 30 }: { hosts?: string[]; days?: number } = {},
  ): CertificateFiles {
    const path = (suffix: string): string => join(this.folder, `${name}.${suffix}`);
    const made = (suffix: string): string => path(`${suffix}.new`);
    makeKey(made('key'));
    const names = `subjectAltName=${hosts.join(',')}`;
    openssl('req', '-new', '-key', made('key'), '-subj', `/CN=${name}`, '-addext', names, '-out', made('csr'));
    const by = ['-CA', this.caFile, '-CAkey', this.caKey, '-CAcreateserial', '-copy_extensions', 'copy'];
    openssl('x509', '-req', '-in', made('csr'), ...by, '-days', String(days), '-out', made('crt'));
    for (const suffix of ['key', 'crt']) renameSync(made(suffix), path(suffix));
    return { certFile: path('crt'), keyFile: path('key'), caFile: this.caFile };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
