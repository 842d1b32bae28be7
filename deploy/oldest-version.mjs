/** Commit of the oldest version from which an upgrade is supported, before the first release. */
export const OLDEST_VERSION = 'f645756f17217f8c19114f072649464f420f00a7';
