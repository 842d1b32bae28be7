import { ShownContents } from './shown-contents';

const SCOPE = 'component:3';
const expected = { scope: SCOPE, generation: 'one' } as const;

/** A reply that shows the contents of a component; `kept` counts how often it was kept. */
function start(contents = new ShownContents(expected)) {
  let kept = 0;
  contents.show(SCOPE);
  contents.whenKept(() => kept++);
  return { contents, kept: () => kept };
}

describe('ShownContents', () => {
  it('a reply is kept if its request saw the generation under which it was made', () => {
    const { contents, kept } = start();
    expect(contents.finish('one')).toBe(SCOPE);
    expect(kept()).toBe(1);
  });

  it.each([
    ['another generation', 'two', expected],
    ['no generation', undefined, expected],
    ['none, as when the reply began', undefined, { scope: SCOPE }],
    ['the generation of other contents', 'one', { ...expected, scope: 'site' }],
  ] as const)('a reply is not kept if its request saw %s', (_, seen, before) => {
    const { contents, kept } = start(new ShownContents(before));
    expect(contents.finish(seen)).toBe(SCOPE);
    expect(kept()).toBe(0);
  });

  it('a reply that depends on something else is not kept', () => {
    const { contents, kept } = start();
    contents.discard();
    contents.finish('one');
    expect(kept()).toBe(0);
  });

  it('a new reply is valid under any generation, one from kept contents only under its own', () => {
    const { contents } = start();
    expect([contents.isValid('one'), contents.isValid('two')]).toEqual([true, true]);
    contents.useKept();
    expect([contents.isValid('one'), contents.isValid('two'), contents.isValid(undefined)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
