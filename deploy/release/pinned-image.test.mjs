import { requirePinned } from './pinned-image.mjs';

it('a base image without a whole digest is refused with the setting that pins it', () => {
  expect(() => requirePinned(`node:24-slim@sha256:${'a'.repeat(64)}`)).not.toThrow();
  for (const image of ['node:24-slim', 'node:24-slim@sha256:abc'])
    expect(() => requirePinned(image)).toThrow('set NODE_IMAGE=node:24-slim@sha256:...');
});
