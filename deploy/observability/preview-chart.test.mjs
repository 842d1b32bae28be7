import { chart, shown } from './preview-chart.mjs';

it.each([
  [0.0421, 'percentunit', '4.21 %'],
  [3 * 2 ** 20, 'bytes', '3 MiB'],
  [0.0123, 's', '12.3 ms'],
  [90, 's', '90 s'],
  [0.5, 'reqps', '0.5/s'],
  [12345, 'short', '12,300'],
])('%d in the unit %s is shown as %s', (value, unit, text) => expect(shown(value, unit)).toBe(text));

it('a chart scales its lines to the largest value and names the last and the largest one in its legend', () => {
  const points = [
    [100, 0],
    [150, 4],
    [200, 2],
  ];
  const html = chart([{ legend: '<GET>', points }], 'short', { start: 100, end: 200 });
  expect(html).toContain('points="60.0,162.0 330.0,7.7 600.0,84.9"');
  expect(html).toContain('&#60;GET&#62;: 2 (max. 4)');
});
