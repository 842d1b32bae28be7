// Remotes of a test file: made as it needs them, removed at its end.
import { exampleFiles, TestRepository } from './repository.mjs';

const made = [];
afterAll(() => made.forEach((remote) => remote.remove()));

/** A remote with these files in its first commit. */
export function makeRemote(files = exampleFiles()) {
  const remote = new TestRepository(files);
  made.push(remote);
  return remote;
}
