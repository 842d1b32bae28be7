import { cmapTable, sampleFont } from '@parlance/testing';
import { FontReader } from './font-reader';

const reader = new FontReader();
const hasty = new FontReader(1);
afterAll(() => Promise.all([reader.close(), hasty.close()]));

const sample = sampleFont({ family: 'Sample', advances: { A: 600 } });

describe('FontReader', () => {
  it('FontReader reads a font in a thread and derives its type from its content', async () => {
    const { facts, widths, type } = await reader.read(sample);
    expect(facts).toEqual({ family: 'Sample', style: 'Regular', weight: 400, italic: false, characters: 1 });
    expect(type).toEqual({ contentType: 'font/ttf', extension: 'ttf' });
    expect(widths.unitsPerEm).toBe(1000);
  });

  it.each<[string, Buffer, string]>([
    ['an empty file', Buffer.alloc(0), 'empty'],
    ['a file with another signature', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'invalid_font'],
    ['a collection of fonts', Buffer.concat([Buffer.from('ttcf'), sample.subarray(4)]), 'invalid_font'],
    ['more than 10 MiB', Buffer.concat([sample, Buffer.alloc(10 * 1024 * 1024)]), 'too_large'],
    ['a damaged file', sample.subarray(0, 100), 'invalid_font'],
  ])('FontReader refuses %s', async (_, bytes, code) => {
    await expect(reader.read(bytes)).rejects.toMatchObject({ name: 'FontError', code });
  });

  it('FontReader reads a font that claims four thousand million characters as far as there are any', async () => {
    const cmap = cmapTable([[0x41, 0xffffffff, 1]]);
    const hostile = sampleFont({ advances: { A: 600 }, tables: { cmap } });
    await expect(reader.read(hostile)).resolves.toMatchObject({ facts: { characters: 1 } });
  });

  it('FontReader refuses a font whose reading takes more than the time limit', async () => {
    await expect(hasty.read(sample)).rejects.toMatchObject({
      code: 'invalid_font',
      message: 'Reading the font takes more time than is allowed.',
    });
  });
});
