// Charts of the preview as SVG.

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [600, 180, 60, 18];
const COLORS = [
  '#1f77b4',
  '#ff7f0e',
  '#2ca02c',
  '#d62728',
  '#9467bd',
  '#8c564b',
  '#e377c2',
  '#7f7f7f',
  '#bcbd22',
  '#17becf',
];

export const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** A number with at most three digits behind the first. */
const rounded = (value) => Number(value.toPrecision(3)).toLocaleString('en');

/** A value in one of Grafana's units. */
export function shown(value, unit) {
  if (unit === 'percentunit') return `${rounded(value * 100)} %`;
  if (unit === 'bytes') return `${rounded(value / 2 ** 20)} MiB`;
  if (unit === 's') return value !== 0 && Math.abs(value) < 1 ? `${rounded(value * 1000)} ms` : `${rounded(value)} s`;
  if (unit === 'reqps' || unit === 'ops') return `${rounded(value)}/s`;
  return rounded(value);
}

/**
 * Lines over time with a legend that has their last and largest values.
 * @param {{legend: string, points: number[][]}[]} lines points: [seconds, value]
 * @param {string} unit
 * @param {{start: number, end: number}} range in seconds
 */
export function chart(lines, unit, { start, end }) {
  const largest = Math.max(...lines.flatMap(({ points }) => points.map(([, value]) => value)), 0);
  const top = largest || 1;
  const x = (time) => LEFT + ((time - start) / (end - start)) * (WIDTH - LEFT);
  const y = (value) => (HEIGHT - BOTTOM) * (1 - value / (top * 1.05));
  const paths = lines.map(({ points }, index) => {
    const path = points.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${COLORS[index % COLORS.length]}" stroke-width="1.5"/>`;
  });
  const ticks = [0, top / 2, top].map(
    (value) =>
      `<line x1="${LEFT}" x2="${WIDTH}" y1="${y(value)}" y2="${y(value)}" stroke="#eee"/><text x="${LEFT - 4}" y="${y(value) + 4}" font-size="10" text-anchor="end">${shown(value, unit)}</text>`,
  );
  const times = [start, end].map(
    (time, index) =>
      `<text x="${index === 0 ? LEFT : WIDTH}" y="${HEIGHT - 4}" font-size="10" text-anchor="${index === 0 ? 'start' : 'end'}">${new Date(time * 1000).toISOString().slice(11, 16)}</text>`,
  );
  const legend = lines.map(({ legend: text, points }, index) => {
    const most = Math.max(...points.map(([, value]) => value));
    return `<li style="color: ${COLORS[index % COLORS.length]}">${escaped(text)}: ${shown(points.at(-1)?.[1] ?? 0, unit)} (max. ${shown(most, unit)})</li>`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}">${ticks.join('')}${times.join('')}${paths.join('')}</svg><ul>${legend.join('')}</ul>`;
}
