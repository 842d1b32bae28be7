import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processes } from '../processes.mjs';
import { arrows } from './arrows.mjs';

/** Names of the picture, where they differ. The provider has no policy by default: `networkPolicy.extraEgress` opens its port. */
const names = {
  remotes: 'public git remotes',
  machinery: 'public web servers',
  webhooks: 'public web servers',
  mail: 'public mail servers',
  provider: undefined,
};

/** The arrows of the picture: `a & b --> c & d[(title)]`. */
function pictured() {
  const page = readFileSync(join(__dirname, '../../docs/architecture/overview.md'), 'utf8');
  const picture = /subgraph calls[^]*?```/.exec(page)?.[0] ?? '';
  const sides = (side) => side.split('&').map((name) => /^[\w-]+/.exec(name.trim())?.[0]);
  const lines = picture.split('\n').filter((line) => line.includes('-->'));
  return lines.flatMap((line) => {
    const [from, to] = line.split('-->').map(sides);
    return from.flatMap((one) => to.map((other) => [one, other in names ? names[other] : other]));
  });
}

it('the picture of the architecture has exactly the connections that network policies allow', () => {
  const allowed = processes.flatMap((process) =>
    [...arrows(process)]
      .filter((name) => name !== 'DNS' && !name.endsWith(' operations'))
      .map((name) => `${process} ${name}`),
  );
  const drawn = pictured().flatMap(([from, to]) => (to ? [`${from} ${to}`] : []));
  expect(drawn.sort()).toEqual(allowed.sort());
});

it('private addresses outside the cluster are allowed to pods that reach public ones, if the installation allows them', () => {
  expect([...arrows('vcs-worker', { privateRemotes: true })]).toContain('private git remotes');
  expect([...arrows('vcs-worker')]).not.toContain('private git remotes');
  expect([...arrows('statistics', { privateRemotes: true })].filter((name) => name.startsWith('private'))).toEqual([]);
});
