import { addonDefinition } from '@parlance/contracts';
import { isServiceError } from '@parlance/errors';
import { UseCaseWorld } from '../../../test/support/memory/world';
import { configurationOf, fitProblem } from './addon-configuration';

async function start() {
  const world = new UseCaseWorld();
  const project = await world.project('acme');
  const component = await world.component(project.id, 'app');
  /** Details of the problems of a configuration. */
  const problems = async (name: string, configuration: unknown, context = world.admin): Promise<string[]> => {
    const json = typeof configuration === 'string' ? configuration : JSON.stringify(configuration);
    const error: unknown = await configurationOf(world.deps, context, addonDefinition(name)!, project, json).then(
      () => undefined,
      (e: unknown) => e,
    );
    if (error === undefined) return [];
    if (!isServiceError(error, 'INVALID')) throw error;
    expect(error.problems.every((p) => p.attr === 'configuration' && p.code === 'invalid')).toBe(true);
    return error.problems.map((p) => p.detail);
  };
  return { world, project, component, problems };
}

const discovery = {
  match: '(?<component>[^/]+)/(?<language>[^/]+)\\.po',
  file_format: 'po',
  name_template: '{{ component }}',
  language_regex: '^[^.]+$',
};

describe('configurationOf', () => {
  it('problems of a configuration belong to one field and name the setting', async () => {
    const { problems } = await start();
    expect(await problems('weblate.removal.comments', {})).toEqual([expect.stringMatching(/^age: /)]);
    expect(await problems('weblate.removal.comments', { age: 0, extra: 1 })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^age: /)]),
    );
    expect(await problems('weblate.removal.comments', '[1]')).toHaveLength(1);
    expect(await problems('weblate.removal.comments', '{')).toHaveLength(1);
  });

  it('discovery needs the groups component and language, a known format and known variables', async () => {
    const { problems } = await start();
    const name = 'weblate.discovery.discovery';
    expect(await problems(name, discovery)).toEqual([]);
    expect(await problems(name, { ...discovery, match: '(?<component>[^/]+)' })).toEqual([
      'match: The groups component and language are required.',
    ]);
    expect(await problems(name, { ...discovery, match: '(' })).toContainEqual(expect.stringMatching(/^match: /));
    expect(await problems(name, { ...discovery, file_format: 'none' })).toEqual([
      'file_format: The format does not exist.',
    ]);
    expect(await problems(name, { ...discovery, name_template: '{{ nothing }}' })).toEqual([
      expect.stringMatching(/^name_template: /),
    ]);
  });

  it('automatic translation needs known engines and a component that the caller sees', async () => {
    const { world, component, problems } = await start();
    const closed = await world.project('closed', { accessControl: 100 });
    await world.component(closed.id, 'secret');
    const name = 'weblate.autotranslate.autotranslate';
    const settings = { mode: 'suggest', q: 'state:empty', auto_source: 'others', threshold: 80 };
    expect(await problems(name, { ...settings, engines: ['none'] })).toEqual([
      'engines: The engine "none" does not exist.',
    ]);
    for (const source of ['app', 'acme/app', String(component.id)])
      expect(await problems(name, { ...settings, component: source })).toEqual([]);
    expect(await problems(name, { ...settings, component: 'closed/secret' })).toEqual([]);
    expect(await problems(name, { ...settings, component: 'closed/secret' }, world.anonymous)).toEqual([
      'component: The component does not exist.',
    ]);
  });

  it('queries and flags are validated', async () => {
    const { problems } = await start();
    const name = 'weblate.flags.bulk';
    expect(await problems(name, { q: 'state:empty', state: -1, add_flags: 'no-such-flag' })).toEqual([
      expect.stringMatching(/^add_flags: /),
    ]);
    expect(await problems(name, { q: 'has:nonsense', state: -1 })).toEqual([expect.stringMatching(/^q: /)]);
  });

  it('events of webhooks are actions of the history', async () => {
    const { problems } = await start();
    const webhook = { webhook_url: 'https://example.com/' };
    expect(await problems('weblate.webhook.webhook', { ...webhook, events: [2] })).toEqual([]);
    expect(await problems('weblate.webhook.webhook', { ...webhook, events: [9999] })).toEqual([
      'events: The action 9999 does not exist.',
    ]);
  });

  it('a generated translation differs from its source', async () => {
    const { problems } = await start();
    expect(await problems('weblate.generate.pseudolocale', { source: 5, target: 5 })).toEqual([
      'target: Must be a different translation than the source.',
    ]);
  });
});

describe('fitProblem', () => {
  it('an add-on that needs a file fits if the repository has one of its variants', async () => {
    const { world, component } = await start();
    const definition = addonDefinition('weblate.removal.comments')!;
    const needsFile = { ...definition, fits: { files: ['{folder}/LINGUAS', 'LINGUAS'] } };
    expect(await fitProblem(world.deps, needsFile, component)).toBe('The repository has no file LINGUAS or LINGUAS.');
    world.files.add('po/LINGUAS');
    expect(await fitProblem(world.deps, needsFile, component)).toBeNull();
  });

  it('an add-on for components with their own repository does not fit a linked one', async () => {
    const { world, project, component } = await start();
    const guest = await world.component(project.id, 'guest', {}, { linkedId: component.id });
    const definition = addonDefinition('weblate.discovery.discovery')!;
    expect(await fitProblem(world.deps, definition, component)).toBeNull();
    expect(await fitProblem(world.deps, definition, guest)).not.toBeNull();
  });
});
