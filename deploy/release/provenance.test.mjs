import { provenance } from './provenance.mjs';

it('a provenance names every artifact, the sources, the locked packages and the base image by digest', () => {
  const digest = (letter) => letter.repeat(64);
  const statement = provenance({
    version: '1.2.3',
    commit: 'c'.repeat(40),
    lock: digest('d'),
    base: { name: 'node:24-slim', digest: digest('e') },
    artifacts: [{ name: 'parlance/gateway:1.2.3', digest: digest('f') }],
    startedOn: '2026-01-01T00:00:00.000Z',
    finishedOn: '2026-01-01T00:01:00.000Z',
  });
  expect(statement.subject).toEqual([{ name: 'parlance/gateway:1.2.3', digest: { sha256: digest('f') } }]);
  expect(statement.predicate.buildDefinition.resolvedDependencies).toEqual([
    { name: 'source', digest: { gitCommit: 'c'.repeat(40) } },
    { name: 'package-lock.json', digest: { sha256: digest('d') } },
    { name: 'node:24-slim', digest: { sha256: digest('e') } },
  ]);
});
