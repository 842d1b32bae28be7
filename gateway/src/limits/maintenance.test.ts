import { isWrite } from './maintenance';

const route = { methods: new Map([['POST', {}]]) };
const reading = { methods: new Map([['POST', { reads: true as const }]]) };

describe('isWrite', () => {
  it.each([
    ['GET', '/api/projects/', route, false],
    ['HEAD', '/api/projects/', route, false],
    ['OPTIONS', '/api/projects/', route, false],
    ['POST', '/api/projects/', route, true],
    ['PATCH', '/api/units/1/', route, true],
    ['PUT', '/api/units/1/', route, true],
    ['DELETE', '/api/units/1/', route, true],
    ['POST', '/git/a/b/git-upload-pack', reading, false],
    ['POST', '/hooks/github/', route, true],
    ['GET', '/hooks/update/a/', route, true],
    ['HEAD', '/hooks/update/a/', route, true],
    ['OPTIONS', '/hooks/update/a/', route, false],
  ])('isWrite decides for %s %s', (method, path, found, expected) => {
    expect(isWrite(method, path, found)).toBe(expected);
  });
});
