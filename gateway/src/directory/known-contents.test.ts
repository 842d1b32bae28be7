import { KnownContents } from './known-contents';

const PATH = '/api/units/7/';
const SCOPE = 'component:3';

/** The contents of a path that was read before. */
function start() {
  const contents = new KnownContents();
  contents.record(PATH, SCOPE);
  return contents;
}

describe('KnownContents', () => {
  it('a path has the scope that its reply named, and the generation that a request saw last', () => {
    const contents = start();
    expect(contents.expect('/api/units/8/')).toEqual({});
    expect(contents.expect(PATH)).toEqual({ scope: SCOPE });
    const seen = contents.observe(SCOPE, ['one']);
    expect(seen.generation).toBeDefined();
    expect(contents.expect(PATH)).toEqual(seen);
    expect(contents.observe(SCOPE, ['two']).generation).not.toBe(seen.generation);
  });

  it('without a generation, nothing can be kept', () => {
    const contents = start();
    expect(contents.observe(SCOPE, [null])).toEqual({ scope: SCOPE });
    expect(contents.observe(undefined, [])).toEqual({});
    expect(contents.expect(PATH)).toEqual({ scope: SCOPE });
  });

  it('after an outage of Redis, the same generation is another one: writes meanwhile may not have replaced it', () => {
    const contents = start();
    const before = contents.observe(SCOPE, ['one']);
    expect(contents.observe(SCOPE, null)).toEqual({ scope: SCOPE });
    expect(contents.expect(PATH)).toEqual({ scope: SCOPE });
    const after = contents.observe(SCOPE, ['one']);
    expect(after.generation).toBeDefined();
    expect(after.generation).not.toBe(before.generation);
  });

  it('paths are forgotten when they may name other objects', () => {
    const contents = start();
    contents.forgetPaths();
    expect(contents.expect(PATH)).toEqual({});
  });
});
