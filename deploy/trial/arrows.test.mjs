import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arrows } from './arrows.mjs';

const processes = ['gateway', 'identity', 'catalog', 'translation', 'vcs-worker', 'media', 'statistics', 'hooks'];
const engines = ['mongo', 'nats', 'redis', 'minio'];

/** The arrows of the picture from processes to processes and engines: `a & b --> c & d[(title)]`. */
function pictured() {
  const page = readFileSync(join(__dirname, '../../docs/architecture/overview.md'), 'utf8');
  const picture = /subgraph calls[^]*?```/.exec(page)?.[0] ?? '';
  const names = (side) => side.split('&').map((name) => /^[\w-]+/.exec(name.trim())?.[0]);
  const lines = picture.split('\n').filter((line) => line.includes('-->'));
  return lines.flatMap((line) => {
    const [from, to] = line.split('-->').map(names);
    return from.flatMap((one) => to.map((other) => `${one} ${other}`));
  });
}

it('the picture of the architecture has exactly the connections that network policies allow', () => {
  const allowed = processes.flatMap((process) =>
    [...arrows(process)].filter((name) => !name.endsWith(' operations')).map((name) => `${process} ${name}`),
  );
  const known = new Set([...processes, ...engines]);
  expect(
    pictured()
      .filter((arrow) => known.has(arrow.split(' ')[1]))
      .sort(),
  ).toEqual(allowed.sort());
});
