import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_LABEL, requireBase } from './base-image.mjs';

const pinned = (letter) => `node:24-slim@sha256:${letter.repeat(64)}`;

describe('the base image of a release', () => {
  it('the base image of a release without a whole digest is refused with the setting that pins it', () => {
    for (const image of ['node:24-slim', 'node:24-slim@sha256:abc'])
      expect(() => requireBase(image, { 'parlance/gateway:1': image })).toThrow(
        'set NODE_IMAGE=node:24-slim@sha256:...',
      );
  });

  it('the base image of a release is the one that the labels of all images name', () => {
    const built = { 'parlance/gateway:1': pinned('a'), 'parlance/hooks:1': pinned('a') };
    expect(requireBase(pinned('a'), built)).toEqual({ name: pinned('a'), digest: 'a'.repeat(64) });
  });

  it('the base image of a release is refused if an image was built on another one or has no label', () => {
    const built = { 'parlance/gateway:1': pinned('a'), 'parlance/hooks:1': 'node:24-slim', 'parlance/media:1': '' };
    expect(() => requireBase(pinned('a'), built)).toThrow(
      [
        'Build them again:',
        'parlance/hooks:1: node:24-slim',
        'parlance/media:1: no label org.opencontainers.image.base.name',
      ].join('\n'),
    );
  });

  it('the base image of a release is in a label that the Dockerfile sets from its build argument', () => {
    const dockerfile = readFileSync(join(__dirname, '../Dockerfile'), 'utf8');
    expect(dockerfile).toMatch(/^FROM runtime AS base\n[^]*?^ARG NODE_IMAGE\n[^]*?^FROM base AS gateway$/m);
    expect(dockerfile).toContain(`${BASE_LABEL}="\${NODE_IMAGE}"`);
  });
});
