import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { formatOf } from '../formats';
import { filesBelow, formatsFor, readReal, tryFile } from '../trial/real-file';

/** Maximum number of tested files per format. */
const PER_FORMAT = 12;

interface Tally {
  tried: number;
  kept: number;
  wrong: string[];
}

function trials(roots: readonly string[]): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const root of roots.filter(existsSync)) {
    for (const path of filesBelow(root)) {
      const wanted = formatsFor(path).filter((id) => (tallies.get(id)?.tried ?? 0) < PER_FORMAT);
      const bytes = wanted.length > 0 ? readReal(path) : undefined;
      if (!bytes) continue;
      for (const id of wanted) {
        const { outcome, reason } = tryFile(formatOf(id), bytes);
        // A file name only suggests a format. Other files must be rejected with a location.
        if (outcome === 'refused' || outcome === 'blank') continue;
        const tally = tallies.get(id) ?? { tried: 0, kept: 0, wrong: [] };
        tallies.set(id, tally);
        tally.tried += 1;
        if (outcome === 'kept') tally.kept += 1;
        else tally.wrong.push(`${path}: ${reason}`);
      }
    }
  }
  return tallies;
}

const wrong = (tallies: ReadonlyMap<string, Tally>): string[] =>
  [...tallies].flatMap(([id, tally]) => tally.wrong.map((text) => `${id} ${text}`));

/** Files of installed packages, which were not written for these tests. */
describe('files of real packages', () => {
  it('files of real packages keep all bytes outside the changed string (node_modules)', () => {
    const tallies = trials([join(__dirname, '../../../../node_modules')]);
    expect(wrong(tallies)).toEqual([]);
    const well = [...tallies].filter(([, { tried }]) => tried >= 5).map(([id]) => id);
    expect(well.sort()).toEqual(
      expect.arrayContaining(['html', 'json', 'json-nested', 'markdown', 'ruby-yaml', 'txt', 'yaml']),
    );
    expect(well.length).toBeGreaterThanOrEqual(10);
  });

  it('files of real packages keep all bytes outside the changed string (other files of the machine)', () => {
    expect(
      wrong(
        trials([
          '/usr/share/locale',
          '/usr/share/doc',
          '/usr/share/i18n',
          '/usr/share/applications',
          '/usr/lib/python3',
        ]),
      ),
    ).toEqual([]);
  });
});
