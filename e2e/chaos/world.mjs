// Projects of the actors: one remote and one component each.
import { TestRepository, poHeader } from '../support/repository.mjs';

/** Number of strings in a component. */
export const STRINGS = 24;
/** The string that only upstream translates. */
export const UPSTREAM = 'Upstream string';

const sources = Array.from({ length: STRINGS }, (_, i) => `String number ${i} of the chaos run`);

/** Comments keep entries far enough apart for git to merge neighbouring changes. */
const entry = (source, target) =>
  `# A note on the string.\n#\n#\n#: src/main.c:10\nmsgid "${source}"\nmsgstr "${target}"\n#\n#\n#\n`;

export const poFile = (language, target) =>
  poHeader(language) + [UPSTREAM, ...sources].map((source) => entry(source, target(source))).join('\n');

/** Translations of a PO file by source. */
export function readPo(text) {
  const found = new Map();
  for (const [, source, target] of text.matchAll(/^msgid "(.+)"\n((?:msgstr )?(?:.*\n)*?)(?=\n|#|$)/gm)) {
    const value = [...target.matchAll(/^(?:msgstr )?"(.*)"$/gm)].map(([, part]) => part).join('');
    found.set(source, [...(found.get(source) ?? []), value]);
  }
  return found;
}

/**
 * Creates a project with an imported component.
 * @param {ReturnType<typeof import('../support/api.mjs').makeApi>} api
 */
export async function makeWorld(api, slug) {
  const none = () => '';
  const remote = new TestRepository(
    { 'po/example.pot': poFile('', none), 'po/cs.po': poFile('cs', none), 'po/de.po': poFile('de', none) },
    undefined,
    slug,
  );
  await api.post('/api/projects/', { name: slug, slug, web: 'https://example.com/' });
  const component = await api.post(`/api/projects/${slug}/components/`, {
    name: 'Example',
    slug: 'example',
    vcs: 'git',
    repo: remote.url,
    push: remote.url,
    branch: 'main',
    filemask: 'po/*.po',
    new_base: 'po/example.pot',
    file_format: 'po',
  });
  await api.finished(component.task_url);
  const world = { slug, remote, componentPath: `/api/components/${slug}/example`, translations: {} };
  for (const language of ['cs', 'de']) {
    const path = `/api/translations/${slug}/example/${language}`;
    const units = (await api.all(`${path}/units/`)).filter((unit) => unit.source[0] !== UPSTREAM);
    world.translations[language] = { path, units };
  }
  return world;
}
