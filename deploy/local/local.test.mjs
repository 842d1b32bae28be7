import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDir } from './data-dir.mjs';
import { fingerprint, isInstalled } from './prepare.mjs';
import { environments, hostsOf, membersOf, processes, readReplicas } from './processes.mjs';
import { restartAfter } from './supervisor.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parlance-local-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name, text) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
};

describe('installed packages', () => {
  const lock = (packages) => JSON.stringify({ packages });

  it('installed packages are current if they match the lock file, independently of file times', () => {
    expect(isInstalled(folder)).toBe(false);
    put(
      'package-lock.json',
      lock({
        '': {},
        'libs/x': { version: '1' },
        'node_modules/a': { version: '1.0.0' },
        'node_modules/o': { version: '1.0.0', optional: true },
      }),
    );
    expect(isInstalled(folder)).toBe(false);
    put('node_modules/.package-lock.json', lock({ 'node_modules/a': { version: '1.0.0' } }));
    expect(isInstalled(folder)).toBe(true);
    put('node_modules/.package-lock.json', lock({ 'node_modules/a': { version: '1.0.1' } }));
    expect(isInstalled(folder)).toBe(false);
  });
});

describe('what the build reads', () => {
  it('the input of the build includes exactly the sources', () => {
    for (const name of [
      'package-lock.json',
      'tsconfig.json',
      'tsconfig.base.json',
      'protos/a.proto',
      'libs/x/src/a.ts',
      'services/y/src/a.ts',
      'gateway/src/a.ts',
    ])
      put(name, '');
    const before = fingerprint(folder);
    put('libs/x/dist/a.js', 'output');
    put('libs/x/README.md', 'words');
    expect(fingerprint(folder)).toBe(before);
    utimesSync(join(folder, 'libs/x/src/a.ts'), 1, 1);
    const touched = fingerprint(folder);
    expect(touched).not.toBe(before);
    put('protos/b.proto', '');
    expect(fingerprint(folder)).not.toBe(touched);
  });
});

describe('a data directory', () => {
  it('a data directory keeps its secrets, readable by the owner only', () => {
    const dataDir = new DataDir(folder);
    const secrets = dataDir.secrets();
    expect(Buffer.from(secrets.encryption, 'base64')).toHaveLength(32);
    expect(secrets.service.length).toBeGreaterThanOrEqual(32);
    expect(new DataDir(folder).secrets()).toEqual(secrets);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  });
});

describe('the environment of the processes', () => {
  it('the environment of the processes has one database per service, and the addresses of all processes', () => {
    const names = Object.keys(processes);
    const addresses = (base) => Object.fromEntries(names.map((name, i) => [name, `127.0.0.1:${base + i}`]));
    const grpc = addresses(1000);
    delete grpc.gateway;
    const all = environments({
      members: membersOf(readReplicas('')),
      grpc,
      operations: addresses(2000),
      engines: { MONGODB_URI: 'mongodb://h:1/?journal=true', NATS_URL: 'nats://h:2' },
      secrets: { service: 's', encryption: 'e' },
      listen: '127.0.0.1:8091',
      url: 'http://localhost:8091/',
      workDirs: { 'vcs-worker': '/work' },
    });
    const databases = names.map((name) => all[name].MONGODB_URI).filter((uri) => uri.includes('parlance_'));
    expect(new Set(databases).size).toBe(7);
    expect(all['vcs-worker']).toMatchObject({
      MONGODB_URI: 'mongodb://h:1/parlance_vcs_worker?journal=true',
      GRPC_LISTEN: grpc['vcs-worker'],
      TRANSLATION_ADDRESS: grpc.translation,
      VCS_WORKER_ADDRESS: grpc['vcs-worker'],
      PARLANCE_WORK_DIR: '/work',
      PARLANCE_SERVICE_SECRET: 's',
      PARLANCE_PUBLIC_URL: 'http://localhost:8091',
    });
    // The gateway derives the public host from each request.
    expect(all.gateway.PARLANCE_PUBLIC_URL).toBeUndefined();
    expect(all.gateway.PARLANCE_ALLOWED_HOSTS).toBe('127.0.0.1');
    expect(hostsOf('192.0.2.1:80')).toEqual(['192.0.2.1']);
    expect(hostsOf('[::]:80')).toEqual(hostsOf('0.0.0.0:80'));
    expect(all.gateway).toMatchObject({ GATEWAY_LISTEN: '127.0.0.1:8091', HOOKS_ADDRESS: grpc.hooks });
  });
});

describe('readReplicas', () => {
  it('readReplicas runs one of each process by default', () => {
    expect(new Set(Object.values(readReplicas('')))).toEqual(new Set([1]));
  });

  it('readReplicas takes one number for all processes, or a number for some', () => {
    expect(new Set(Object.values(readReplicas('2')))).toEqual(new Set([2]));
    expect(readReplicas('translation=2,gateway=3')).toMatchObject({ translation: 2, gateway: 3, catalog: 1 });
  });

  it.each([
    ['0', 'is not a whole number from 1 to 8'],
    ['9', 'is not a whole number from 1 to 8'],
    ['translation', '"" is not a whole number'],
    ['translation=two', '"two" is not a whole number'],
    ['translator=2', 'there is no process "translator"'],
  ])('readReplicas refuses %s', (text, why) => {
    expect(() => readReplicas(text)).toThrow(why);
  });
});

describe('the environment of two replicas', () => {
  const members = membersOf(readReplicas('gateway=2,translation=2,vcs-worker=2'));
  const all = environments({
    members,
    grpc: {
      translation: '127.0.0.1:1',
      'translation-2': '127.0.0.1:2',
      'vcs-worker': '127.0.0.1:3',
      'vcs-worker-2': '127.0.0.1:4',
    },
    operations: {},
    engines: { MONGODB_URI: 'mongodb://h:1/' },
    secrets: { service: 's', encryption: 'e' },
    listen: '127.0.0.1:8091',
    gateways: { gateway: '127.0.0.1:5', 'gateway-2': '127.0.0.1:6' },
    url: 'http://localhost:8091/',
    workDirs: { 'vcs-worker': '/work', 'vcs-worker-2': '/work-2' },
  });

  it('the environment of two replicas gives callers the addresses of both', () => {
    expect(all.catalog.TRANSLATION_ADDRESS).toBe('127.0.0.1:1,127.0.0.1:2');
  });

  it('the environment of two replicas gives each its own address, folder of clones and operations address, and both the same database', () => {
    expect(all['translation-2']).toMatchObject({
      GRPC_LISTEN: '127.0.0.1:2',
      MONGODB_URI: all.translation.MONGODB_URI,
    });
    expect([all['vcs-worker'].PARLANCE_WORK_DIR, all['vcs-worker-2'].PARLANCE_WORK_DIR]).toEqual(['/work', '/work-2']);
  });

  it('the environment of two replicas lets the gateways trust the front proxy before them', () => {
    expect(all['gateway-2']).toMatchObject({ GATEWAY_LISTEN: '127.0.0.1:6', PARLANCE_TRUSTED_PROXIES: '127.0.0.1' });
  });
});

describe('restartAfter', () => {
  it('restartAfter waits longer each time a process ends immediately, up to four seconds', () => {
    let failures = 0;
    const pauses = Array.from({ length: 7 }, () => {
      const next = restartAfter(failures, 1000);
      failures = next.failures;
      return next.pause;
    });
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 4000, 4000]);
  });

  it('restartAfter restarts a process without delay if it ran for some seconds, even after earlier failures', () => {
    expect(restartAfter(10, 6000)).toEqual({ pause: 250, failures: 1 });
  });
});
