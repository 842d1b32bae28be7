import { isServiceError } from '@parlance/errors';
import type { GitRepository } from '@parlance/git';
import { compileMask } from '@parlance/patterns';
import type { Component } from '../../domain/component';
import type { Log, Deps } from '../deps';

/** Size limit of screenshots in bytes; the media service has the same limit. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Maximum number of screenshots that a component imports. */
const MAX_FILES = 500;

/** Name of a screenshot: the file name without extension. */
const nameOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/(?<=.)\.[^.]*$/, '')
    .slice(0, 200);

/**
 * Imports the images that match `screenshot_filemask` as screenshots of the source strings; changed files replace their images.
 * User changes of a screenshot are kept, also when its file is deleted. Idempotent; an invalid image is logged and skipped until
 * it changes.
 */
export async function importScreenshots(
  deps: Pick<Deps, 'index' | 'media' | 'translations'>,
  git: GitRepository,
  component: Component,
  commit: string,
  log: Log,
): Promise<void> {
  const { id, screenshotFilemask } = component.settings;
  if (screenshotFilemask === '') return;
  const mask = compileMask(screenshotFilemask);
  const found = (await git.listFiles(commit)).filter(({ path }) => mask.test(path));
  if (found.length > MAX_FILES) log(`${screenshotFilemask}: only the first ${MAX_FILES} screenshots are imported`);
  const files = found.slice(0, MAX_FILES);
  const known = await deps.index.screenshots(id);
  const changed = files.filter(({ path, hash }) => known.get(path) !== hash);
  if (changed.length > 0) {
    const source = (await deps.translations.list(id)).find((translation) => translation.isSource);
    if (!source) return;
    const stored = await deps.media.ofComponent(id);
    for (const { path, size } of changed) {
      if (size > MAX_BYTES) {
        log(`${path}: the image is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
        continue;
      }
      const { bytes } = (await git.readFile(commit, path))!;
      const there = stored.get(path);
      try {
        if (there === undefined) await deps.media.create(source, nameOf(path), path, bytes);
        else await deps.media.replace(there, path, bytes);
        log(`${path}: screenshot ${there === undefined ? 'added' : 'replaced'}`);
      } catch (error) {
        if (!isServiceError(error, 'INVALID')) throw error;
        log(`${path}: this cannot be a screenshot: ${error.problems[0]?.detail ?? error.message}`);
      }
    }
  }
  if (changed.length > 0 || known.size !== files.length)
    await deps.index.setScreenshots(id, new Map(files.map(({ path, hash }) => [path, hash])));
}
