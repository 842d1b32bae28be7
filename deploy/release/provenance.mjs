/**
 * The provenance of a release: an in-toto statement with a SLSA predicate, https://slsa.dev/spec/v1.0/provenance .
 * @param {object} release
 * @param {string} release.version
 * @param {string} release.commit of the sources
 * @param {string} release.lock SHA-256 of package-lock.json, which has the hashes of all packages
 * @param {{ name: string, digest: string } | undefined} release.base image below those of the processes
 * @param {{ name: string, digest: string }[]} release.artifacts with SHA-256
 * @param {string} release.startedOn
 * @param {string} release.finishedOn
 */
export function provenance({ version, commit, lock, base, artifacts, startedOn, finishedOn }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artifacts.map(({ name, digest }) => ({ name, digest: { sha256: digest } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://slsa.dev/npm-run/v1',
        externalParameters: { command: 'npm run release', version },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lock } },
          ...(base ? [{ name: base.name, digest: { sha256: base.digest } }] : []),
        ],
      },
      runDetails: { builder: { id: 'npm run release' }, metadata: { startedOn, finishedOn } },
    },
  };
}
