import { SECRET_MASK } from '@parlance/contracts';
import { UseCaseWorld } from '../../../test/support/memory/world';
import {
  maskedAddressProblems,
  ownerProblem,
  readGivenSettings,
  resolveSource,
  storedAddresses,
  withCredentials,
} from './component-input';

const REPO = 'https://git.example.com/acme/app.git';
const own = (repo: string, push = '') => ({ kind: 'own' as const, repo, push });

async function start() {
  const world = new UseCaseWorld();
  const project = await world.project('acme');
  const app = await world.component(project.id, 'app');
  const linked = await world.component(project.id, 'linked', {}, { linkedId: app.id });
  return { world, project, app, linked };
}

describe('given settings', () => {
  it('only given fields are read; enforced checks are unique', () => {
    const { settings, problems } = readGivenSettings({
      name: 'App',
      hasEnforcedChecks: true,
      enforcedChecks: ['same', 'same'],
      fileFormatParamsJson: '{"po_line_wrap":-1}',
    });
    expect(settings).toEqual({ name: 'App', enforcedChecks: ['same'], fileFormatParams: { po_line_wrap: -1 } });
    expect(problems).toEqual([]);
  });

  it('file format parameters that are no object are reported on their field', () => {
    const { problems } = readGivenSettings({ fileFormatParamsJson: '[1]' });
    expect(problems.map(({ attr }) => attr)).toEqual(['file_format_params']);
  });
});

describe('the source of a repository', () => {
  it('an internal address requires to see its owner, and permissions on it', async () => {
    const { world, project, app } = await start();
    const settings = { ...app.settings, repo: 'parlance://acme/app' };
    const resolve = (context = world.admin) => resolveSource(world.deps, context, settings);
    expect(await resolve()).toMatchObject({ kind: 'linked', owner: { id: app.id } });
    expect(await resolve(world.member(['component.edit'], [project.id]))).toMatchObject({
      attr: 'repo',
      code: 'permission_denied',
    });
    await world.projects.replace({ ...project, version: 2, settings: { ...project.settings, accessControl: 100 } }, []);
    expect(await resolve(world.member([], 'public'))).toMatchObject({ attr: 'repo', code: 'invalid' });
  });

  it('a link that was granted stays without the permissions', async () => {
    const { world, app, linked } = await start();
    const settings = { ...linked.settings, repo: 'parlance://acme/app' };
    expect(await resolveSource(world.deps, world.member([]), settings, linked)).toMatchObject({
      kind: 'linked',
      owner: { id: app.id },
    });
  });

  it('a component shares neither its own repository nor that of a component that shares one', async () => {
    const { world, app, linked } = await start();
    const at = (path: string, before = app) =>
      resolveSource(world.deps, world.admin, { ...app.settings, repo: `parlance://acme/${path}` }, before);
    expect(await at('app')).toMatchObject({ attr: 'repo', code: 'invalid' });
    expect(await at('linked')).toMatchObject({ attr: 'repo', code: 'invalid' });
    expect(await at('missing')).toMatchObject({ attr: 'repo', code: 'invalid' });
    expect(await ownerProblem(world.deps, app.id)).toBeNull();
    expect(await ownerProblem(world.deps, linked.id)).toMatchObject({ attr: 'repo' });
    expect(await ownerProblem(world.deps, 404)).toMatchObject({ attr: 'repo' });
  });
});

describe('credentials of addresses', () => {
  const masked = REPO.replace('//', `//user:${SECRET_MASK}@`);

  it('credentials are stored sealed, apart from the address, and joined for git', async () => {
    const { world } = await start();
    const stored = storedAddresses(world.deps, own(REPO.replace('//', '//user:token@')));
    expect(stored).toMatchObject({ repo: REPO, repoSecret: 'sealed:user:token', push: '', pushSecret: '' });
    expect(withCredentials(world.deps, stored.repo, stored.repoSecret)).toBe(REPO.replace('//', '//user:token@'));
  });

  it('an unchanged address keeps its credentials, masked or not; a changed one drops them', async () => {
    const { world, app } = await start();
    const before = { ...app, repoSecret: 'sealed:user:token' };
    for (const repo of [REPO, masked])
      expect(storedAddresses(world.deps, own(repo), before)).toMatchObject({ repoSecret: 'sealed:user:token' });
    expect(storedAddresses(world.deps, own(`${REPO}x`), before)).toMatchObject({ repoSecret: '' });
  });

  it('a mask is refused without stored credentials or with another address', async () => {
    const { app } = await start();
    const before = { ...app, repoSecret: 'sealed:user:token' };
    expect(maskedAddressProblems(own(masked), before)).toEqual([]);
    expect(maskedAddressProblems(own(masked), app)).toMatchObject([{ attr: 'repo' }]);
    expect(maskedAddressProblems(own(masked))).toMatchObject([{ attr: 'repo' }]);
    expect(maskedAddressProblems(own(masked.replace('app', 'other')), before)).toMatchObject([{ attr: 'repo' }]);
    expect(maskedAddressProblems({ kind: 'linked', owner: app })).toEqual([]);
  });

  it('a linked component stores no address of its own', async () => {
    const { world, app } = await start();
    expect(storedAddresses(world.deps, { kind: 'linked', owner: app })).toEqual({
      linkedId: app.id,
      repo: '',
      push: '',
      repoSecret: '',
      pushSecret: '',
      repoKeys: [],
    });
  });
});
