// Terms of a glossary: what they do to every language, and the numbers after each step.
import { learnUnits } from '../world.mjs';

const LANGUAGES = ['en', 'cs', 'de'];

const terms = [
  ['en', { source: ['Server'], target: ['Server'] }],
  ['cs', { source: ['Client'], target: ['Klient'] }],
  ['de', { source: ['Client'], target: ['Klient'] }],
  ['cs', { source: ['Query'], target: ['Dotaz'], state: 10 }],
  ['en', { source: ['Server'], target: ['Server'] }],
  ['cs', { source: [''], target: [''] }],
  ['cs', { context: 'web', source: ['Server'], target: ['Obsluha'] }],
];

const edits = [
  ['en', 'Server', { extra_flags: 'terminology' }],
  ['en', 'Server', { extra_flags: 'terminology, read-only' }],
  ['en', 'Server', { extra_flags: '' }],
  ['en', 'Server', { explanation: 'A machine that answers' }],
  ['cs', 'Server', { target: ['Server'], state: 20 }],
  ['cs', 'Client', { explanation: 'Also a person' }],
  ['cs', 'Client', { extra_flags: 'forbidden' }],
];

export async function glossaries({ sides, remotes, project: p }) {
  const slug = 'terms';
  const head = (language) => `msgid ""\nmsgstr "Language: ${language}\\nContent-Type: text/plain; charset=UTF-8\\n"\n`;
  for (const side of sides.both) await side.post('/api/projects/', { name: p, slug: p, web: 'https://example.com/' });
  await sides.component(p, {
    name: 'Terms',
    slug,
    vcs: 'git',
    branch: 'main',
    repo: remotes.make(`${p}-${slug}`, {
      'terms.pot': `${head('')}\nmsgid "Known"\nmsgstr ""\n`,
      'cs.po': `${head('cs')}\nmsgid "Known"\nmsgstr "Známý"\n`,
      'de.po': `${head('de')}\nmsgid "Known"\nmsgstr ""\n`,
    }),
    file_format: 'po',
    filemask: '*.po',
    new_base: 'terms.pot',
    new_lang: 'add',
    is_glossary: true,
    manage_units: true,
  });
  const path = (language) => `/api/translations/${p}/${slug}/${language}/`;
  async function states(after) {
    for (const language of LANGUAGES) {
      await sides.step('glossaries', `statistics of ${language} ${after}`, 'GET', `${path(language)}statistics/`);
      await sides.step('glossaries', `strings of ${language} ${after}`, 'GET', `${path(language)}units/`);
    }
  }
  await sides.step('glossaries', 'component', 'GET', `/api/components/${p}/${slug}/`);
  await states('in the beginning');
  for (const [language, body] of terms) {
    const name = `${language} ${JSON.stringify(body)}`;
    await sides.step('glossaries', `POST ${name}`, 'POST', `${path(language)}units/`, body);
    await states(`after adding ${name}`);
  }
  await learnUnits(sides, p, slug);
  const unit = (language, source) => (side) => `/api/units/${side.ids.get(`${slug}|${language}||${source}`)}/`;
  for (const [language, source, body] of edits) {
    const name = `${language} ${source} ${JSON.stringify(body)}`;
    await sides.step('glossaries', `PATCH ${name}`, 'PATCH', unit(language, source), body);
    await states(`after ${name}`);
  }
  for (const [language, source] of [
    ['cs', 'Query'],
    ['en', 'Server'],
  ]) {
    await sides.step('glossaries', `DELETE ${language} ${source}`, 'DELETE', unit(language, source));
    await states(`after removing ${language} ${source}`);
  }
  // Only one side accepts this: the numbers differ from then on.
  const twoOfThree = { source: ['Two', 'Forms'], target: ['Dvě', 'Tvary'] };
  await sides.step('glossaries', `POST cs ${JSON.stringify(twoOfThree)}`, 'POST', `${path('cs')}units/`, twoOfThree);
}
