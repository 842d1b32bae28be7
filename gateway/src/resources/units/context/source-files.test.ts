import { sourceFiles } from './source-files';

const repoweb = 'https://git.example.com/app/blob/{{ branch }}/{{ filename }}#L{{ line }}';

describe('places in the source code', () => {
  it('places in the source code have the address of the file in the browser of the repository', () => {
    expect(sourceFiles('src/a b.c:12, lib/x.c', repoweb, 'feature/x')).toEqual([
      { filename: 'src/a b.c', line: 12, url: 'https://git.example.com/app/blob/feature/x/src/a%20b.c#L12' },
      { filename: 'lib/x.c', line: null, url: 'https://git.example.com/app/blob/feature/x/lib/x.c#L1' },
    ]);
  });

  it('places in the source code have no address without a template, or without the branch that it needs', () => {
    expect(sourceFiles('a.c:1', '', 'main')).toEqual([{ filename: 'a.c', line: 1, url: null }]);
    expect(sourceFiles('a.c:1', repoweb, '')[0]!.url).toBeNull();
    expect(sourceFiles('', repoweb, 'main')).toEqual([]);
  });

  it('places in the source code cannot leave the path of the address', () => {
    expect(sourceFiles('x?y#z":1', repoweb, 'main')[0]!.url).toBe(
      'https://git.example.com/app/blob/main/x%3Fy%23z%22#L1',
    );
  });

  it('places in the source code are limited in number', () => {
    expect(sourceFiles('a.c:1, '.repeat(5000), repoweb, 'main')).toHaveLength(100);
  });
});
