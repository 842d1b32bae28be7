import { convert, formatOf, type ConvertOptions, type ConvertUnit, type ParseOptions } from '@parlance/formats';
import { fromBatches, transferResult, type Batches } from '@parlance/workload';
import { applyEdits, type EditedFile, type FileEdit, type AppliedEdits } from './app/commit/apply-edits';
import { outcomeOf, type Outcome } from './app/files/outcome';
import { packFile, type PackedFile } from './app/files/parsed-file';
import type { Conflict } from './app/import/conflicts';
import { mergeFile, type FileVersions } from './app/import/merge-file';
import { packMemory, type MemoryFile, type PackedMemory } from './app/memory/read-file';
import { readUpload, type UploadedFile } from './app/upload/read-upload';

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Copies bytes into a buffer of their own, which can be transferred. */
function copyBytes(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

function transferable(outcome: Outcome<PackedFile>): Outcome<PackedFile> {
  return transferResult(outcome, 'value' in outcome ? outcome.value.units : []);
}

// The tasks of worker threads. Their inputs and results are plain data.

export function parse(input: { format: string; bytes: Uint8Array; options: ParseOptions }): Outcome<PackedFile> {
  const { format, bytes, options } = input;
  return transferable(outcomeOf(() => packFile(formatOf(format).parse(bufferOf(bytes), options))));
}

export function upload(input: { file: UploadedFile; only: 'component-format' | undefined }): Outcome<PackedFile> {
  const { file, only } = input;
  return transferable(outcomeOf(() => packFile(readUpload({ ...file, bytes: bufferOf(file.bytes) }, only))));
}

export function memory(input: MemoryFile): Outcome<PackedMemory> {
  const outcome = outcomeOf(() => packMemory({ ...input, bytes: bufferOf(input.bytes) }));
  return transferResult(outcome, 'value' in outcome ? outcome.value.entries : []);
}

/** Input of `edit`, with edits serialized in batches. */
export type PackedEdits = Omit<EditedFile, 'edits' | 'base'> & { edits: Batches<FileEdit>; base?: Buffer | null };

export function edit(input: PackedEdits): Outcome<AppliedEdits | 'needs-base'> {
  const { bytes, base, edits } = input;
  const outcome = outcomeOf(() =>
    applyEdits({
      ...input,
      bytes: bufferOf(bytes),
      base: base ? bufferOf(base) : base,
      edits: fromBatches<FileEdit>(edits),
    }),
  );
  if (!('value' in outcome) || outcome.value === 'needs-base') return outcome;
  const rendered = copyBytes(outcome.value.bytes);
  return transferResult({ value: { ...outcome.value, bytes: rendered as Buffer } }, [rendered]);
}

export function merge(input: FileVersions): Outcome<{ bytes: Uint8Array; conflicts: Conflict[] }> {
  const { base, local, upstream } = input;
  const outcome = outcomeOf(() =>
    mergeFile({ ...input, base: bufferOf(base), local: bufferOf(local), upstream: bufferOf(upstream) }),
  );
  if (!('value' in outcome)) return outcome;
  const bytes = copyBytes(outcome.value.bytes);
  return transferResult({ value: { ...outcome.value, bytes } }, [bytes]);
}

export function write(input: {
  format: string;
  units: Batches<ConvertUnit>;
  options: ConvertOptions;
}): Outcome<Uint8Array> {
  const { format, units, options } = input;
  const outcome = outcomeOf(() => copyBytes(convert(format, fromBatches<ConvertUnit>(units), options)));
  return transferResult(outcome, 'value' in outcome ? [outcome.value] : []);
}
