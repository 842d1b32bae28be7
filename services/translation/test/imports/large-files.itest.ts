import { measureHold } from '@parlance/testing';
import { importMemory } from '../../src/app/memory/files';
import { ImportSession } from '../../src/app/import/import-session';
import { uploadFile } from '../../src/app/upload/upload-file';
import { importOptions, importWorld } from '../support/import-world';
import { expectResponsive, largePo } from '../support/loop-hold';
import { makeMemory } from '../support/memory';
import { makeProcess, storeStrings } from '../support/process';
import { language, person } from '../support/samples';
import { useDatabase } from '../support/store';

const database = useDatabase();
const MB = 1024 * 1024;

describe('large files', () => {
  it('Uploading a large file does not block the event loop', async () => {
    const { component, translation, list } = await storeStrings(database, 500);
    const deps = makeProcess(database, component, {
      unitCache: { ofTranslation: ({ id }) => deps.units.ofTranslation(id) },
      agreements: { accepted: async () => true },
    });
    const stored = (await deps.translations.get(translation.id))!;
    const more = list.map(({ source }) => `msgid "${source[0]}"\nmsgstr "Text"\n\n`).join('');
    const bytes = largePo(60 * MB, more);
    const measured = await measureHold(() =>
      uploadFile(
        deps,
        person(1),
        {
          translation: stored.id,
          filename: 'cs.po',
          method: 'translate',
          conflicts: '',
          fuzzy: '',
          authorName: '',
          authorEmail: '',
          bytes,
          problems: [],
        },
        '',
      ),
    );
    expect(measured.result.accepted).toBe(500);
    expectResponsive(measured);
  });

  it('Importing a large file, and importing it again, does not block the event loop', async () => {
    const { deps } = importWorld(database, 70_000);
    const file = {
      path: 'cs.po',
      language: language('cs'),
      fileLanguageCode: 'cs',
      revision: '1',
      kind: 'translation' as const,
      bytes: largePo(5 * MB),
    };
    const read = async (bytes: Buffer) => {
      const session = await ImportSession.begin(deps, await component(), importOptions);
      const result = await session.file({ ...file, bytes });
      await session.end();
      return result;
    };
    const component = async () => (await deps.catalog.component(70_000, ''))!;
    const first = await measureHold(() => read(file.bytes));
    const changed = Buffer.from(file.bytes.toString().replaceAll('Řádek', 'Čára'));
    const again = await measureHold(() => read(changed));
    expect(first.result.added).toBe(again.result.updated);
    expectResponsive(first);
    expectResponsive(again);
  }, 300_000);

  it.each(['json', 'tmx'] as const)(
    'Importing a large %s memory does not block the event loop',
    async (format) => {
      const entries = Array.from({ length: format === 'json' ? 100_000 : 80_000 }, (_, i) => ({
        source: `Source ${i} of ${format}: the quick brown fox jumps`,
        target: `Cíl ${i}: příliš žluťoučký kůň úpěl ďábelské ódy`,
        source_language: 'en',
        target_language: 'cs',
        origin: 'somewhere/else',
      }));
      const tmx = () =>
        `<?xml version="1.0"?>\n<tmx version="1.4"><header srclang="en"/><body>\n${entries
          .map(
            ({ source, target }) =>
              `<tu srclang="en"><note>somewhere in the program, on one of its many lines</note>
  <tuv xml:lang="en"><seg>${source}</seg></tuv>
  <tuv xml:lang="cs"><seg>${target}</seg></tuv>\n</tu>\n`,
          )
          .join('')}</body></tmx>`;
      const bytes = Buffer.from(format === 'json' ? JSON.stringify(entries) : tmx());
      expect(bytes.length).toBeGreaterThan(20 * MB);
      const memory = makeMemory(database);
      const request = { filename: `x.${format}`, project: 0, shared: false, sourceLanguage: '', bytes };
      const measured = await measureHold(() => importMemory(memory, person(format === 'json' ? 11 : 12), request));
      expect(measured.result).toMatchObject({ added: entries.length, skipped: 0 });
      expectResponsive(measured);
    },
    300_000,
  );
});
