import { address, ConfigError, engineTlsFiles, engineTlsSettings, flag, integer, loadConfig, rate, z } from './index';

const schema = z.object({
  PARLANCE_SECRET: z.string('must be set').min(8),
  WORKERS: integer({ min: 1, max: 4, default: 2 }),
  LIMIT: rate('100/day'),
  ON: flag(false),
});

describe('loadConfig', () => {
  it('loadConfig applies defaults and types', () => {
    expect(loadConfig(schema, { PARLANCE_SECRET: 'long enough', WORKERS: '' })).toEqual({
      PARLANCE_SECRET: 'long enough',
      WORKERS: 2,
      LIMIT: { count: 100, windowSeconds: 86400 },
      ON: false,
    });
  });

  it('loadConfig names every invalid variable with its value and the allowed values, and masks secrets', () => {
    let message = '';
    try {
      loadConfig(schema, { PARLANCE_SECRET: 'hunter2', WORKERS: '9x', LIMIT: '5 a day', ON: 'maybe' });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as Error).message;
    }
    expect(message).toContain('WORKERS is "9x": must be a whole number');
    expect(message).toContain('LIMIT is "5 a day": must look like 100/day');
    expect(message).toContain('ON is "maybe": must be true or false');
    expect(message).toContain('PARLANCE_SECRET has a wrong value');
    expect(message).not.toContain('hunter2');
  });

  it('loadConfig rejects numbers out of bounds', () => {
    expect(() => loadConfig(schema, { PARLANCE_SECRET: 'long enough', WORKERS: '5' })).toThrow('at most 4');
  });
});

describe('the address of a service', () => {
  const read = (value: string) => loadConfig(z.object({ CATALOG_ADDRESS: address() }), { CATALOG_ADDRESS: value });

  it.each([
    'catalog:50051',
    'catalog.parlance.svc:50051',
    '[::1]:50051',
    '10.0.0.1:50051,10.0.0.2:50051',
    '[fd00::1]:5,[fd00::2]:5',
  ])('the address of a service may be %s', (value) => {
    expect(read(value)).toEqual({ CATALOG_ADDRESS: value });
  });

  it.each(['catalog', 'catalog:grpc', 'a:1,b:2', '10.0.0.1:1,', '10.0.0.1:1,[::1]:1', 'dns:///catalog:1'])(
    'the address of a service must not be %s',
    (value) => {
      expect(() => read(value)).toThrow('must be host:port, or ip:port of each replica separated by commas');
    },
  );
});

describe('the settings of TLS to engines', () => {
  const read = (env: Record<string, string>) => engineTlsFiles(loadConfig(z.object(engineTlsSettings), env));
  const [certFile, keyFile, caFile] = ['/tls.crt', '/tls.key', '/ca.crt'];

  it('the settings of TLS to engines accept none, an authority, and a certificate with its key', () => {
    expect(read({})).toBeUndefined();
    expect(read({ PARLANCE_ENGINES_TLS_CA_FILE: caFile })).toEqual({ caFile });
    const certificate = { PARLANCE_ENGINES_TLS_CERT_FILE: certFile, PARLANCE_ENGINES_TLS_KEY_FILE: keyFile };
    expect(read(certificate)).toEqual({ certFile, keyFile });
    expect(read({ ...certificate, PARLANCE_ENGINES_TLS_CA_FILE: caFile })).toEqual({ certFile, keyFile, caFile });
  });

  it.each(['CERT', 'KEY'])('the settings of TLS to engines reject PARLANCE_ENGINES_TLS_%s_FILE alone', (given) => {
    const missing = `PARLANCE_ENGINES_TLS_${given === 'KEY' ? 'CERT' : 'KEY'}_FILE`;
    expect(() => read({ [`PARLANCE_ENGINES_TLS_${given}_FILE`]: '/file' })).toThrow(`${missing} must be set`);
    expect(() => read({ [`PARLANCE_ENGINES_TLS_${given}_FILE`]: 'file' })).toThrow('must be an absolute path');
  });
});
