import { streamNames } from './streams';

it('two namespaces on one server share no stream and no subject', () => {
  const names = ['', 'one', 'two'].map((namespace) => streamNames(namespace));
  expect(names[0]).toEqual({ events: 'PARLANCE_EVENTS', dead: 'PARLANCE_DEAD', prefix: '' });
  for (const part of ['events', 'dead', 'prefix'] as const)
    expect(new Set(names.map((each) => each[part])).size).toBe(names.length);
});
