import { CountedPages } from './counted-pages';

/** A list that other processes may change, and the statements that read it. */
function start(length: number) {
  const list = Array.from({ length }, (_, i) => i);
  const statements: string[] = [];
  const pages = new CountedPages();
  const read = async (skip: number, size: number, filter: object = {}) => {
    statements.length = 0;
    const { items, total } = await pages.read(
      { filter, skip, size },
      async () => {
        statements.push('find');
        return list.slice(skip, skip + size);
      },
      async () => {
        statements.push('count');
        return list.length;
      },
    );
    return { items, total, statements: [...statements] };
  };
  return { list, read };
}

describe('CountedPages', () => {
  it('the second read of a list that fits on its page needs no count', async () => {
    const { read } = start(2);
    expect(await read(0, 3)).toEqual({ items: [0, 1], total: 2, statements: ['count', 'find'] });
    expect(await read(0, 3)).toEqual({ items: [0, 1], total: 2, statements: ['find'] });
  });

  it('a full page is counted beside it', async () => {
    const { read } = start(3);
    for (let i = 0; i < 2; i++)
      expect(await read(0, 3)).toEqual({ items: [0, 1, 2], total: 3, statements: ['count', 'find'] });
  });

  it('the last page of a long list needs no count, a page beyond the end does', async () => {
    const { read } = start(5);
    await read(0, 3);
    expect(await read(3, 3)).toEqual({ items: [3, 4], total: 5, statements: ['find'] });
    expect(await read(6, 3)).toEqual({ items: [], total: 5, statements: ['count', 'find'] });
  });

  it('the total is exact when another process lengthens or shortens the list between reads', async () => {
    const { list, read } = start(2);
    await read(0, 3);
    list.push(2, 3, 4);
    expect(await read(0, 3)).toEqual({ items: [0, 1, 2], total: 5, statements: ['find', 'count'] });
    await read(3, 3);
    list.length = 3;
    expect(await read(3, 3)).toEqual({ items: [], total: 3, statements: ['find', 'count'] });
    list.length = 1;
    expect(await read(0, 3)).toMatchObject({ items: [0], total: 1 });
  });

  it('lists with different filters have separate expectations', async () => {
    const { read } = start(2);
    await read(0, 3, { project: 1 });
    expect((await read(0, 3, { project: 2 })).statements).toEqual(['count', 'find']);
  });

  it('a failed page rejects, whether or not its count fails', async () => {
    const pages = new CountedPages();
    const page = { filter: {}, skip: 0, size: 3 };
    const fails = async (): Promise<never> => {
      throw new Error('unavailable');
    };
    await expect(pages.read(page, fails, fails)).rejects.toThrow('unavailable');
    await expect(pages.read(page, fails, async () => 3)).rejects.toThrow('unavailable');
  });
});
