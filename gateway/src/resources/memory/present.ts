import type { translation as proto } from '@parlance/contracts';

/** An entry of the translation memory. */
export function presentMemoryEntry(entry: proto.MemoryEntry__Output): Record<string, unknown> {
  return {
    id: entry.id,
    source: entry.source,
    target: entry.target,
    source_language: entry.sourceLanguageId,
    target_language: entry.targetLanguageId,
    origin: entry.origin,
    project: entry.projectId || null,
    from_file: entry.fromFile,
    shared: entry.shared,
  };
}
