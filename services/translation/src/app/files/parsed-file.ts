import type { FileMetadata, FormatFile, FormatUnit } from '@parlance/formats';
import { readBatches, toBatches, type Batches } from '@parlance/workload';

/** A parsed file. The strings of a large file stay serialized and are deserialized batch by batch. */
export interface ParsedFile {
  format: string;
  metadata: FileMetadata;
  /** Number of strings. */
  count: number;
  /** The strings in their order; may be read several times. Yields to the event loop between the batches of a large file. */
  batches(): AsyncIterable<readonly FormatUnit[]>;
}

/** A parsed file, serialized for the transfer from a worker thread. */
export interface PackedFile {
  format: string;
  metadata: FileMetadata;
  count: number;
  units: Batches<FormatUnit>;
}

/** A file parsed on this thread. */
export function inlineFile({ format, metadata, units }: Pick<FormatFile, 'format' | 'metadata' | 'units'>): ParsedFile {
  return {
    format,
    metadata,
    count: units.length,
    async *batches() {
      yield units;
    },
  };
}

export function packFile({ format, metadata, units }: FormatFile): PackedFile {
  return { format, metadata, count: units.length, units: toBatches(units, plainUnit) };
}

export function unpackFile({ format, metadata, count, units }: PackedFile): ParsedFile {
  return { format, metadata, count, batches: () => readBatches(units) };
}

/** Copies a unit, because serialization ignores getters of format classes. */
function plainUnit(unit: FormatUnit): FormatUnit {
  const { index, context, source, target, state, plural, note, comment } = unit;
  const { location, flags, previousSource, line, column } = unit;
  return {
    index,
    context,
    source: [...source],
    target: [...target],
    state,
    plural,
    note,
    comment,
    location,
    flags: [...flags],
    previousSource,
    line,
    column,
  };
}
