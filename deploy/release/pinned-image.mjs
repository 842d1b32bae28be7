/**
 * A release names its base image by digest, so that everyone can build the same again.
 * @param {string} image for instance `node:24-slim@sha256:...`
 * @throws {Error} if it has no digest
 */
export function requirePinned(image) {
  if (!/@sha256:[0-9a-f]{64}$/.test(image))
    throw new Error(
      `The base image ${image} has no digest: set NODE_IMAGE=${image.replace(/@.*/, '')}@sha256:... and build again.`,
    );
}
