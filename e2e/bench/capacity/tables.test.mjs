import { costColumns } from './tables.mjs';

it('The columns of costs are their sum, some processes, and the others together', () => {
  const costs = { gateway: 3, translation: 5, hooks: 1, media: 0.5 };
  expect(costColumns(costs, ['translation', 'gateway', 'git'])).toEqual([9.5, 5, 3, 0, 1.5]);
});
