import { BlockWriter } from './block-writer';
import { postingsOf } from './dictionary';

/** A writer and its documents by key, in the order of their writes. */
function start() {
  const documents = new Map<string, { data: Buffer; starts?: number[] }>();
  const writer = new BlockWriter(async (key, data, starts) => {
    expect(documents.has(key)).toBe(false);
    documents.set(key, { data, ...(starts ? { starts } : {}) });
  });
  return { documents, writer };
}

describe('BlockWriter', () => {
  it('the words of a part are between line feeds, and its postings in their order', async () => {
    const { documents, writer } = start();
    await writer.addOffsets('A', [0, 5]);
    await writer.addOffsets('Ž', [3]);
    await writer.end();
    expect([...documents.keys()]).toEqual(['0.0', '0']);
    expect(documents.get('0')).toEqual({ data: Buffer.from('\nA\nŽ\n'), starts: [0] });
    expect([...postingsOf(documents.get('0.0')!.data)].map((of) => [...of])).toEqual([[0, 4], [3]]);
    expect(writer.parts).toBe(1);
  });

  it('a word that no unit contains any more is left out', async () => {
    const { documents, writer } = start();
    await writer.addOffsets('A', []);
    await writer.end();
    expect(documents.size).toBe(0);
    expect(writer.parts).toBe(0);
  });

  it('postings are split into chunks, and the part names the first word of each', async () => {
    const { documents, writer } = start();
    for (const [word, size] of [
      ['A', 8_190],
      ['B', 1],
      ['C', 9_000],
      ['D', 10],
    ] as const)
      await writer.add(word, new Uint8Array(size));
    await writer.end();
    expect([...documents.keys()]).toEqual(['0.0', '0.1', '0.2', '0']);
    expect(documents.get('0')!.starts).toEqual([0, 1, 3]);
    const sizes = ['0.0', '0.1', '0.2'].map((key) => [...postingsOf(documents.get(key)!.data)].map((of) => of.length));
    expect(sizes).toEqual([[8_190], [1, 9_000], [10]]);
  });

  it('a large dictionary is split into parts, each with chunks of its own', async () => {
    const { documents, writer } = start();
    const words = Array.from({ length: 3 }, (_, i) => String(i).repeat(140_000));
    for (const word of words) await writer.addOffsets(word, [1]);
    await writer.end();
    expect([...documents.keys()]).toEqual(['0.0', '0', '1.0', '1']);
    expect(writer.parts).toBe(2);
    expect(documents.get('1')).toEqual({ data: Buffer.from(`\n${words[2]}\n`), starts: [0] });
  });
});
