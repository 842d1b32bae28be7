// Remotes of a test file: created on demand, deleted at its end.
import { exampleFiles, TestRepository } from './repository.mjs';

const made = [];
afterAll(() => made.forEach((remote) => remote.remove()));

/**
 * A remote with these files in its first commit. `name`: for git hosts that identify a repository by name only.
 * @param {Record<string, string | Buffer>} [files] path to content
 * @param {string} [name]
 */
export function makeRemote(files = exampleFiles(), name = undefined) {
  const remote = new TestRepository(files, undefined, name);
  made.push(remote);
  return remote;
}
