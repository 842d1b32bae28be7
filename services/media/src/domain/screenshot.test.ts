import { nameProblems, repositoryFilenameProblems } from './screenshot';

describe('nameProblems', () => {
  it.each([
    ['Login page', []],
    ['  ', ['blank']],
    ['', ['blank']],
    ['x'.repeat(200), []],
    ['x'.repeat(201), ['max_length']],
    ['a\nb', ['invalid']],
  ])('the name %j is validated: %j', (name, codes) => expect(nameProblems(name).map((p) => p.code)).toEqual(codes));
});

describe('repositoryFilenameProblems', () => {
  it('a path in the repository has at most 400 characters', () => {
    expect(repositoryFilenameProblems('')).toEqual([]);
    expect(repositoryFilenameProblems('x'.repeat(400))).toEqual([]);
    expect(repositoryFilenameProblems('x'.repeat(401))).toMatchObject([
      { attr: 'repository_filename', code: 'max_length' },
    ]);
  });
});
