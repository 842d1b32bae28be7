import { relationProblem } from './input';

it.each([
  ['http://elsewhere.example/api/categories/7/', 'does_not_exist'],
  ['/api/categories/7/', 'does_not_exist'],
  ['/api/projects/web/', 'incorrect_match'],
  ['https://example.com/', 'no_match'],
  ['7', 'no_match'],
])('the value %s as a category address: %s', (value, code) => {
  expect(relationProblem('category', value, 'categories', 'category')).toMatchObject({ attr: 'category', code });
});
