import { logger, metricsText } from '@parlance/telemetry';
import { TestAuthority } from '@parlance/testing';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { CertificateWatcher, type CertificateFiles } from './certificate-watcher';
import { EngineTls, engineTls } from './engine-tls';

const authority = new TestAuthority();
const closing: { close(): void }[] = [];

afterEach(() => {
  for (const each of closing.splice(0)) each.close();
  jest.restoreAllMocks();
});
afterAll(() => authority.remove());

function watch(files: CertificateFiles, reloadMs?: number): CertificateWatcher {
  const watcher = new CertificateWatcher(files, { name: 'test', connections: 'engines' }, reloadMs);
  closing.push(watcher);
  return watcher;
}

const ownFiles = () => authority.issue('own');

describe('CertificateWatcher', () => {
  it('CertificateWatcher uses changed files without a call', async () => {
    const watcher = watch(ownFiles(), 5);
    const { context } = watcher;
    const changed = new Promise((resolve) => watcher.onChange(resolve));
    authority.issue('own');
    await changed;
    expect(watcher.context).not.toBe(context);
  });

  it('CertificateWatcher keeps its context while the files are unchanged', () => {
    const watcher = watch(ownFiles());
    const { context } = watcher;
    watcher.reload();
    expect(watcher.context).toBe(context);
  });

  it('CertificateWatcher keeps the previous files while only the certificate is replaced, and logs it once', () => {
    const own = ownFiles();
    const watcher = watch(own);
    const { context } = watcher;
    const warn = jest.spyOn(logger, 'warn').mockImplementation(() => undefined);
    const renewed = authority.issue('renewed');
    copyFileSync(renewed.certFile, own.certFile);
    watcher.reload();
    watcher.reload();
    expect(watcher.context).toBe(context);
    expect(warn).toHaveBeenCalledTimes(1);
    copyFileSync(renewed.keyFile, own.keyFile);
    watcher.reload();
    expect(watcher.context).not.toBe(context);
  });

  it('CertificateWatcher needs no client certificate', () => {
    expect(watch({ caFile: authority.caFile }).options).toEqual({ ca: [expect.anything()] });
  });

  it('CertificateWatcher reports the end of the validity of its certificate', async () => {
    watch(ownFiles());
    const [, seconds] =
      /^parlance_tls_certificate_expiry_timestamp_seconds\{.*connections="engines".*\} (\S+)$/m.exec(
        await metricsText(),
      ) ?? [];
    expect(Number(seconds) * 1000 - Date.now()).toBeGreaterThan(29 * 86_400_000);
  });

  it('CertificateWatcher names an unusable file', () => {
    const { certFile, keyFile, caFile } = ownFiles();
    const broken = join(authority.folder, 'broken.crt');
    writeFileSync(broken, 'none');
    expect(() => watch({ caFile: broken })).toThrow(`TLS: ${broken} is not a PEM certificate`);
    expect(() => watch({ certFile: broken, keyFile, caFile })).toThrow(`TLS: ${broken} is not a PEM certificate`);
    expect(() => watch({ certFile, keyFile: join(authority.folder, 'none.key') })).toThrow('none.key cannot be read');
  });
});

describe('engineTls', () => {
  it('engineTls shares the certificates of equal files', () => {
    const files = ownFiles();
    expect(engineTls({ ...files })).toBe(engineTls(files));
    expect(engineTls({ caFile: files.caFile })).not.toBe(engineTls(files));
  });

  it.each([
    ['those of Node.js', undefined, 1],
    ['those of Node.js and NODE_EXTRA_CA_CERTS', authority.caFile, 2],
    ['those of Node.js, if NODE_EXTRA_CA_CERTS cannot be read', '/missing.crt', 1],
  ])('engineTls trusts its own authorities and %s', (_, extra, more) => {
    const { NODE_EXTRA_CA_CERTS: previous } = process.env;
    delete process.env['NODE_EXTRA_CA_CERTS'];
    try {
      if (extra) process.env['NODE_EXTRA_CA_CERTS'] = extra;
      const tls = new EngineTls({ caFile: authority.caFile });
      closing.push(tls);
      expect((tls.options.ca as unknown[]).length).toBe(rootCertificates.length + more);
    } finally {
      if (previous) process.env['NODE_EXTRA_CA_CERTS'] = previous;
      else delete process.env['NODE_EXTRA_CA_CERTS'];
    }
  });

  it('the secure context of engineTls changes its native context with the files', () => {
    const tls = new EngineTls(ownFiles());
    closing.push(tls);
    const { secureContext } = tls;
    const native: unknown = secureContext.context;
    authority.issue('own');
    tls.reload();
    expect(tls.secureContext).toBe(secureContext);
    expect(secureContext.context).not.toBe(native);
  });
});
