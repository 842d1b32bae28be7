// Settings that accept a pattern, each with one that takes exponential time in a backtracking engine.
import { makeRemote } from '../../support/remotes.mjs';
import { poHeader } from '../../support/repository.mjs';
import { addExample, importExample, system } from '../../support/system.mjs';

const { api } = system();

/** Maximum duration of any concurrent request in milliseconds; a blocked process takes far longer. */
const PATIENCE_MS = 20_000;
const LONG = 'a'.repeat(5_000);
const FOLDER = 'a'.repeat(120);
const entry = (source: string) => `msgid "${source}"\nmsgstr ""\n\n`;
const files = {
  'po/example.pot': `${poHeader('')}${entry(`${LONG}!`)}${entry('Hello')}`,
  'po/cs.po': `${poHeader('cs')}${entry(`${LONG}!`)}${entry('Hello')}`,
  [`po/${'a'.repeat(60)}@!.po`]: poHeader('cs'),
  [`${FOLDER}!/${FOLDER}!/x.po`]: poHeader('cs'),
  [`${FOLDER}!/${FOLDER}!.png`]: 'no picture',
  'json/en.json': JSON.stringify({ [`${LONG}!`]: 'Hello', key: 'Hello' }),
  'json/cs.json': '{}',
};
const remote = makeRemote(files);

let project: string;
let componentPath: string;
let path: string;
let unit: { id: number };
beforeAll(async () => {
  ({ project, componentPath, path } = await importExample(api, remote));
  unit = (await api.all(`${path}/units/?q=source:Hello`))[0];
});

/** Runs `work` while sending other requests one at a time; all of them must be answered in time. */
async function besideOthers(work: () => Promise<unknown>): Promise<void> {
  let done = false;
  const late = AbortSignal.timeout(10 * PATIENCE_MS);
  const working = work().finally(() => (done = true));
  const others = async () => {
    for (let round = 0; !done || round < 2; round++) {
      late.throwIfAborted();
      const begun = Date.now();
      const target = [`Ahoj ${round % 2}`];
      const statuses = [
        (await api.send('PATCH', `/api/units/${unit.id}/`, { target, state: 20 })).status,
        (await api.send('GET', `${path}/statistics/`)).status,
        (await api.send('GET', `/api/projects/${project}/components/`)).status,
        (await api.send('GET', `${componentPath}/repository/`)).status,
      ];
      expect(statuses).toEqual([200, 200, 200, 200]);
      expect(Date.now() - begun).toBeLessThan(PATIENCE_MS);
    }
  };
  await Promise.all([working, others()]);
}

/** Either a result or a rejection of the pattern. */
function expectAnswered(status: number): void {
  expect([200, 201, 204, 400]).toContain(status);
}

let count = 0;
describe('a catastrophic pattern does not block other requests', () => {
  const json = { file_format: 'json', filemask: 'json/*.json', template: 'json/en.json', new_base: '' };
  it.each<[string, Record<string, unknown>]>([
    ['filemask', { filemask: 'a*a*a*a*a*a*a*a*a*a*a*a*/a*a*a*a*a*a*/*.po', new_base: '' }],
    ['screenshot_filemask', { screenshot_filemask: 'a*a*a*a*a*a*a*a*a*a*a*a*/a*a*a*a*a*a*.png' }],
    ['language_regex', { language_regex: '^([a-z]+)+$' }],
    ['key_filter', { ...json, key_filter: '^(a+)+$' }],
    ['variant_regex', { ...json, variant_regex: '(a+)+$' }],
    ['check_flags', { check_flags: 'regex:"^(a+)+$"' }],
  ])('a catastrophic pattern in %s of a component does not block other requests', async (_, settings) => {
    await besideOthers(async () => {
      const slug = `hostile${count++}`;
      const made = await api.send('POST', `/api/projects/${project}/components/`, {
        name: slug,
        slug,
        vcs: 'git',
        repo: remote.url,
        branch: 'main',
        filemask: 'po/*.po',
        new_base: 'po/example.pot',
        file_format: 'po',
        ...settings,
      });
      expectAnswered(made.status);
      if (made.status === 201) await api.finished(made.body.task_url).catch(() => undefined);
    });
  });

  it.each(['regex:"^(a+)+$"', 'placeholders:r"(a+)+b"', 'regex:"(.*a){20}b"'])(
    'a catastrophic pattern in the flag %s does not block other requests',
    async (flags) => {
      const source = await api.all(`/api/translations/${project}/example/en/units/?q=source:aaa`);
      await besideOthers(async () => {
        const flagged = await api.send('PATCH', `/api/units/${source[0].id}/`, { extra_flags: flags });
        expectAnswered(flagged.status);
        const [long] = await api.all(`${path}/units/?q=source:aaa`);
        expectAnswered((await api.send('PATCH', `/api/units/${long.id}/`, { target: [`${LONG}!`], state: 20 })).status);
      });
    },
  );

  it('a catastrophic pattern of component discovery does not block other requests', async () => {
    await besideOthers(async () => {
      const configuration = {
        match: '(?P<component>(a+)+)!/(?P<language>(a+)+)b\\.po',
        file_format: 'po',
        name_template: '{{ component }}',
        base_file_template: '',
        new_base_template: '',
        language_regex: '^([a-z]+)+$',
        copy_addons: false,
        remove: false,
      };
      const body = { name: 'weblate.discovery.discovery', configuration };
      expectAnswered((await api.send('POST', `${componentPath}/addons/`, body)).status);
    });
  });

  it.each(['source:r"(a+)+$"', 'source:r"^([a-z]+.)+[A-Z]"', 'source:r"(.*a){12}b"'])(
    'a catastrophic pattern in the search %s does not block other requests',
    async (q) => {
      await besideOthers(async () => {
        const answer = await api.send('GET', `${path}/units/?${new URLSearchParams({ q })}`);
        expectAnswered(answer.status);
      });
    },
  );

  it('a catastrophic pattern in the rules of a component list does not block other requests', async () => {
    await besideOthers(async () => {
      const slug = `list${count++}`;
      const rules = [{ project_match: '^(([a-z0-9-])+)+!$', component_match: '^(([a-z0-9])+)+!$' }];
      expectAnswered(
        (await api.send('POST', '/api/component-lists/', { name: slug, slug, auto_assign: rules })).status,
      );
      await addExample(api, project, `${FOLDER.slice(0, 60)}${count++}`, remote);
    });
  });
});
