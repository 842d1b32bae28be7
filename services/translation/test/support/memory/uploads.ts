import type { Caller } from '@parlance/access';
import { inlineFile } from '../../../src/app/files/parsed-file';
import { readUpload, type UploadedFile } from '../../../src/app/upload/read-upload';
import type { Upload } from '../../../src/app/upload/upload';
import { allowUpload, type UploadRequest } from '../../../src/app/upload/upload-rules';
import type { Component } from '../../../src/domain/component';
import type { FileReplacement } from '../../../src/domain/ports';
import type { Translation } from '../../../src/domain/translation';
import { StringsWorld } from './world';

/** An upload request without rules and texts. */
export const uploadRequest = (fields: Partial<UploadRequest> = {}): UploadRequest => ({
  translation: 11,
  filename: 'cs.po',
  method: '',
  conflicts: '',
  fuzzy: '',
  authorName: '',
  authorEmail: '',
  bytes: Buffer.alloc(0),
  problems: [],
  ...fields,
});

/** A gettext file; a target that starts with `~` needs editing. */
export const gettextFile = (texts: Record<string, string>, header = 'Language: cs\\n'): Buffer =>
  Buffer.from(
    `msgid ""\nmsgstr "${header}"\n${Object.entries(texts)
      .map(
        ([source, target]) =>
          `\n${target.startsWith('~') ? '#, fuzzy\n' : ''}msgid "${source}"\nmsgstr "${target.replace('~', '')}"\n`,
      )
      .join('')}`,
  );

/** A component in memory that receives uploads. */
export function uploadWorld(settings: Partial<Component> = {}) {
  const world = new StringsWorld();
  const { component, source, czech } = world.component(1, settings);
  const replaced: FileReplacement[] = [];
  const deps = {
    ...world.deps,
    changes: world.deps.history,
    unitCache: { ofTranslation: ({ id }: Translation) => world.units.ofTranslation(id) },
    files: {
      upload: async (upload: UploadedFile, only?: 'component-format') => inlineFile(readUpload(upload, only)),
    },
    repositoryFiles: { replaceFile: async (file: FileReplacement) => void replaced.push(file) },
  };
  const upload = (caller: Caller, request: Partial<UploadRequest> = {}, translation = czech): Upload => ({
    ...allowUpload(caller, uploadRequest(request), translation, component),
    component,
    translation,
    now: world.nowMs,
  });
  const parse = (texts: Record<string, string>, translation = czech) =>
    inlineFile(readUpload({ component, translation, filename: 'cs.po', bytes: gettextFile(texts) }));
  return { world, component, source, czech, deps, replaced, upload, parse };
}
