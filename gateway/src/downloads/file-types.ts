import { converters, registry } from '@parlance/formats';

const OCTETS = 'application/octet-stream';

/** Content types of files with strings: unknown ones first, then those of formats and converters. */
export const translationFileTypes: readonly string[] = [
  OCTETS,
  ...new Set([...registry, ...converters].map(({ mediaType }) => mediaType).sort()),
].filter((type, i, all) => all.indexOf(type) === i);
