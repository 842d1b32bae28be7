import spdx from 'spdx-license-ids/index.json';

/** Colours of labels and glossaries. */
export const colors = [
  'navy',
  'blue',
  'aqua',
  'teal',
  'olive',
  'green',
  'lime',
  'yellow',
  'orange',
  'red',
  'maroon',
  'fuchsia',
  'purple',
  'black',
  'gray',
  'silver',
] as const;

/** Licences of components: SPDX ids that are not deprecated, and `proprietary`. */
export const licences: readonly string[] = ['proprietary', ...[...spdx].sort((a, b) => (a < b ? -1 : 1))];

/** Address of a licence's text; null for `proprietary` and an empty licence. */
export function licenceUrl(licence: string): string | null {
  return licence && licence !== 'proprietary' ? `https://spdx.org/licenses/${licence}.html` : null;
}

/** Kinds of repositories. */
export const versionControls = ['git', 'git-force-push', 'local'] as const;
