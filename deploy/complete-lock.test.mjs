import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { complete, platformOf } from './complete-lock.mjs';

describe('the lock file', () => {
  it.each([
    ['@swc/core-linux-arm64-musl', ['arm64'], ['linux']],
    ['@bufbuild/buf-linux-armv7', ['arm'], ['linux']],
    ['@unrs/resolver-binding-win32-ia32-msvc', ['ia32'], ['win32']],
    ['fsevents', [], []],
  ])('the lock file knows the platform of %s', (name, cpu, os) => {
    expect(platformOf(name)).toEqual({ cpu, os });
  });

  it('the lock file adds exactly the missing packages, at any nesting', () => {
    const optionalDependencies = { 'tool-darwin-arm64': '1.2.3', 'tool-linux-x64': '1.2.3', plain: '1.0.0' };
    const lock = {
      packages: {
        '': {},
        'node_modules/tool': { version: '1.2.3', dev: true, optionalDependencies },
        'node_modules/tool/node_modules/tool-linux-x64': {},
      },
    };
    const { lock: completed, added } = complete(lock);
    expect(added).toEqual(['tool-darwin-arm64']);
    expect(completed.packages['node_modules/tool-darwin-arm64']).toEqual({
      version: '1.2.3',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['darwin'],
    });
    expect(complete(completed).added).toEqual([]);
  });

  describe('of this repository', () => {
    const lock = JSON.parse(readFileSync(join(__dirname, '../package-lock.json'), 'utf8'));

    it('the lock file of this repository lists the packages of all platforms', () => {
      expect(complete(lock).added).toEqual([]);
    });

    it('the lock file of this repository has a package for Linux on arm64 for each one on x64 that images may contain', () => {
      const packagesOf = (processor) =>
        Object.entries(lock.packages)
          .filter(([, { dev, os, cpu }]) => !dev && os?.includes('linux') && cpu?.includes(processor))
          .map(([path]) => path.replace(processor, 'PROCESSOR'));
      expect(packagesOf('x64').length).toBeGreaterThan(0);
      expect(packagesOf('arm64')).toEqual(expect.arrayContaining(packagesOf('x64')));
    });
  });
});
