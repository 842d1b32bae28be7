import { differences, outsideTargets, podTargets } from './connections.mjs';

const identity = { component: 'identity', ip: '10.0.0.1', installation: 'one' };
const mongo = { component: 'mongo', ip: '10.0.0.2', installation: 'one' };
const targets = podTargets([identity, mongo], 'one');
/** What a pod tries, with the outcome of each target by its name; others fail. */
const tried = (pod, ...open) => ({
  component: pod.component,
  ip: pod.ip,
  tried: targets.filter(([, address]) => address !== pod.ip).map((target) => [target, open.includes(target[0])]),
});

describe('the targets of calls', () => {
  it('the targets are the ports of processes, engines and pods of other installations and applications, without Jobs', () => {
    const pods = [
      identity,
      mongo,
      { component: 'gateway', ip: '10.0.0.3', installation: 'two' },
      { component: 'prepare', ip: '10.0.0.4', installation: 'one' },
      { component: 'stranger', ip: '10.0.0.5', installation: 'two' },
    ];
    expect(podTargets(pods, 'one')).toEqual([
      ['identity', '10.0.0.1', 50051],
      ['identity operations', '10.0.0.1', 9090],
      ['mongo', '10.0.0.2', 27017],
      ['another gateway', '10.0.0.3', 8080],
      ['two: gateway operations', '10.0.0.3', 9090],
      ['stranger', '10.0.0.5', 50051],
    ]);
  });

  it('the targets outside the cluster are the ports of each known address', () => {
    const ports = { remotePorts: 1, webPorts: 2, mailPorts: 3 };
    expect(outsideTargets({ private: '10.9.9.9', public: undefined }, ports)).toEqual([
      ['private git remotes', '10.9.9.9', 1],
      ['private web servers', '10.9.9.9', 2],
      ['private mail servers', '10.9.9.9', 3],
    ]);
  });
});

describe('the outcomes of calls', () => {
  it('the outcomes of the architecture are no differences', () => {
    expect(differences([tried(identity, 'mongo'), tried(mongo)])).toEqual([]);
  });

  it('a forbidden call that connects is a difference', () => {
    expect(differences([tried(identity, 'mongo'), tried(mongo, 'identity')])).toEqual([
      'mongo -> identity: connects, but is not allowed',
    ]);
  });

  it('an allowed call that fails is a difference', () => {
    expect(differences([tried(identity), tried(mongo)])).toContain('identity -> mongo: fails, but is allowed');
  });

  it('each of several pods of a component counts', () => {
    const second = { ...identity, ip: '10.0.0.6' };
    expect(differences([tried(identity, 'mongo'), tried(second), tried(mongo)])).toContain(
      'identity -> mongo: fails, but is allowed',
    );
  });

  it('failed calls of a pod without a network prove nothing', () => {
    const reason = 'no connection of this pod works in either direction, which proves nothing';
    expect(differences([tried(mongo)])).toEqual([`mongo: ${reason}`]);
    expect(differences([tried(identity), tried(mongo)])).toEqual([
      'identity -> mongo: fails, but is allowed',
      `identity: ${reason}`,
      `mongo: ${reason}`,
    ]);
  });

  it('private addresses are differences unless the installation allows them', () => {
    const worker = (options) => ({
      component: 'vcs-worker',
      ip: '10.0.0.7',
      options,
      tried: [[['private git remotes', '10.9.9.9', 1], true]],
    });
    expect(differences([worker({ privateRemotes: true })])).toEqual([]);
    expect(differences([worker()])).toEqual(['vcs-worker -> private git remotes: connects, but is not allowed']);
  });
});
