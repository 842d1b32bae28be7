import type { catalog as proto } from '@parlance/contracts';
import type { Client } from '@parlance/grpc-kit';
import { makeComponent, makeProject, worldWithProject, type World } from './support/catalog';

const CALLERS = 30;
/** Changes of one object wait for each other: on a busy machine the last one takes longer than usual calls may. */
const TIMEOUT_MS = 120_000;

let world: World;
let project: number;
worldWithProject((made, id) => void ([world, project] = [made, id]));

const patient = () => ({ ...world.admin, timeoutMs: TIMEOUT_MS });

/** Runs concurrent calls, alternating between two processes. */
async function atOnce<T>(requests: readonly T[], call: (client: Client<'catalog'>, request: T) => Promise<unknown>) {
  const clients = [world.client, (await world.another()).client];
  await Promise.all(requests.map((request, i) => call(clients[i % 2]!, request)));
}

describe('changes by many at the same moment', () => {
  it('concurrent changes of a component are all saved', async () => {
    const { id } = await makeComponent(world, project, 'busy');
    const changes: proto.ComponentInput[] = [
      { priority: 80 },
      { license: 'MIT' },
      { agreement: 'Agreed.' },
      { repoweb: 'https://example.com/{{filename}}' },
      { reportSourceBugs: 'bugs@example.com' },
      { commitPendingAge: 5 },
      { variantRegex: 'x$' },
      { enableSuggestions: false },
      { glossaryColor: 'navy' },
      { mergeStyle: 'merge' },
      { pushOnCommit: false },
      { allowTranslationPropagation: false },
      { autoLockError: false },
      { languageCodeStyle: 'bcp' },
      { checkFlags: 'max-length:50' },
      { newLang: 'none' },
      { restricted: true },
      { suggestionVoting: true },
      { name: 'Busy' },
      { commitMessage: 'Commit' },
      { addMessage: 'Add' },
      { deleteMessage: 'Delete' },
      { mergeMessage: 'Merge' },
      { addonMessage: 'Add-on' },
      { pullMessage: 'Pull' },
      { push: 'https://git.example.com/acme/fork.git' },
      { pushBranch: 'translations' },
      { screenshotFilemask: 'shots/*.png' },
      { manageUnits: true },
      { slug: 'busier' },
    ];
    expect(changes).toHaveLength(CALLERS);
    await atOnce(changes, (client, component) => client.updateComponent({ id, component }, patient()));
    const { component } = await world.client.getComponent({ id }, world.admin);
    expect(component).toMatchObject(Object.assign({ version: CALLERS + 1 }, ...changes) as object);
  });

  it('concurrent changes of a project are all saved', async () => {
    const id = await makeProject(world, 'crowded');
    const changes: proto.ProjectInput[] = [
      { name: 'Crowded' },
      { web: 'https://example.org/' },
      { checkFlags: 'max-length:50' },
      { translationReview: true },
      { sourceReview: true },
      { setLanguageTeam: false },
      { enableHooks: false },
      { instructions: 'Read this.' },
      { languageAliases: 'xx:cs' },
      { enforced_2fa: true },
      { useSharedTm: false },
      { contributeSharedTm: false },
      { hookSecret: 'secret' },
    ];
    // One of the changes enforces a second factor for later ones.
    const strong = { ...world.member(1, [], { isSuperuser: true, secondFactor: true }), timeoutMs: TIMEOUT_MS };
    await atOnce(changes, (client, change) => client.updateProject({ id, project: change }, strong));
    const { hookSecret: _secret, ...shown } = Object.assign({}, ...changes) as proto.ProjectInput;
    const stored = (await world.client.getProject({ id }, world.admin)).project;
    expect(stored).toMatchObject({ ...shown, version: changes.length + 1 });
  });

  it('concurrent changes of a language are all saved', async () => {
    const { language: before } = await world.client.getLanguage({ code: 'cs' }, world.admin);
    const populations = Array.from({ length: CALLERS }, (_, i) => 1000 + i);
    await atOnce(populations, (client, population) =>
      client.updateLanguage({ code: 'cs', language: { population } }, patient()),
    );
    const { language } = await world.client.getLanguage({ code: 'cs' }, world.admin);
    expect(populations).toContain(language!.population);
    expect(language!.name).toBe(before!.name);
  });

  it('concurrent changes of links are all saved', async () => {
    const { id } = await makeComponent(world, project, 'linked');
    const slugs = Array.from({ length: CALLERS }, (_, i) => `target-${i}`);
    for (const slug of slugs) await makeProject(world, slug);
    await atOnce(slugs, (client, projectSlug) => client.createLink({ componentId: id, projectSlug }, patient()));
    const { component } = await world.client.getComponent({ id }, world.admin);
    expect(component?.linkProjectIds).toHaveLength(CALLERS);
  });
});
