import { ProjectFontsCache } from '../../src/app/fonts/project-fonts-cache';
import { sampleFont } from '../support/memory/font-store';
import { silent } from '../support/process';
import { useDatabase } from '../support/store';

const database = useDatabase();

it('copies of fonts are stored by project and read by every process', async () => {
  const [writer, reader] = [database.stores(silent).fonts, new ProjectFontsCache(database.stores(silent).fonts)];
  await writer.put(sampleFont(9, { weight: 700 }));
  await writer.put(sampleFont(3));
  await writer.put(sampleFont(5, { project: 2, family: 'Other' }));
  expect(await writer.idsOf(1)).toEqual([3, 9]);
  expect(await writer.ofProject(1)).toEqual([sampleFont(3), sampleFont(9, { weight: 700 })]);
  const fonts = (await reader.of(1))!;
  expect(fonts.key).toBe('9,3');
  expect(fonts.find('Wide', 'bold')!.name).toBe('uploaded-9');
  expect(fonts.find('Wide', '')!.advance(0x41)).toBe(1);
  expect(fonts.find('Other', '')).toBeUndefined();

  await writer.put(sampleFont(3, { family: 'Renamed' }));
  await writer.remove(9);
  await writer.remove(9);
  reader.clear();
  expect((await reader.of(1))!.key).toBe('3');
  expect(await writer.ofProject(1)).toEqual([sampleFont(3, { family: 'Renamed' })]);
});
