import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import type { GitOptions } from './options';
import { runGit } from './process/run';

/** Creates an empty bare repository. It replaces the folder atomically. */
export async function initRepository(
  folder: string,
  options: Pick<GitOptions, 'home' | 'localTimeoutMs'>,
): Promise<void> {
  const draft = `${folder}.new-${randomUUID()}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    await runGit({
      home: options.home,
      args: ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', '--initial-branch=main', '--', draft],
      timeoutMs: options.localTimeoutMs,
    });
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
