/** Label of an image: the base image that it was built on. The Dockerfile sets it. */
export const BASE_LABEL = 'org.opencontainers.image.base.name';

/**
 * A release names its base image by digest, so that everyone can build the same again.
 * @param {string} base for instance `node:24-slim@sha256:...`
 * @param {Record<string, string>} built base image of each image of the release, from its label
 * @returns {{ name: string, digest: string }} for the provenance
 * @throws {Error} if the base image has no digest, or an image was built on another one
 */
export function requireBase(base, built) {
  const digest = /@sha256:([0-9a-f]{64})$/.exec(base)?.[1];
  if (digest === undefined)
    throw new Error(
      `The base image ${base} has no digest: set NODE_IMAGE=${base.replace(/@.*/, '')}@sha256:... and build again.`,
    );
  const others = Object.entries(built).filter(([, name]) => name !== base);
  if (others.length > 0)
    throw new Error(
      [
        `NODE_IMAGE is ${base}, but these images were built on another base image. Build them again:`,
        ...others.map(([image, name]) => `${image}: ${name || `no label ${BASE_LABEL}`}`),
      ].join('\n'),
    );
  return { name: base, digest };
}
