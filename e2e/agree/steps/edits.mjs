// Edits of strings: compares the response, the string, its newest history entry and the statistics.
import { learnUnits, makeWorld, poFile, strings } from '../world.mjs';

/** Each case edits its own string. `of`: component, language, source. */
const cases = [
  ['Hello', { target: ['Nazdar'], state: 20 }],
  ['Hello, world!', { target: ['Ahoj'], state: 10 }],
  ['Save changes', { target: ['Uložit'] }],
  ['Delete all', { state: 20 }],
  ['Delete', { state: 20 }],
  ['Delete', { state: 10 }],
  ['Delete', { state: 0 }],
  ['Name:', { state: 20, target: [''] }],
  ['Name:', { target: [''] }],
  ['Name:', { target: [] }],
  ['Name:', { target: 'Jméno:' }],
  ['Name:', { target: 'Jméno:', state: 20 }],
  ['Name:', { target: ['a', 'b'], state: 20 }],
  ['Name:', { target: null, state: 20 }],
  ['Name:', { target: [null], state: 20 }],
  ['Name:', { target: [1], state: 20 }],
  ['Name:', { target: {}, state: 20 }],
  ['Name:', { target: ['x'], state: null }],
  ['Name:', { target: ['x'], state: 'x' }],
  ['Name:', { target: ['x'], state: '20' }],
  ['Name:', { target: ['x'], state: 15 }],
  ['Name:', { target: ['x'], state: 30 }],
  ['Name:', { target: ['x'], state: 100 }],
  ['Name:', { target: ['x'], state: -1 }],
  ['Name:', { target: ['x'], state: true }],
  ['Name:', { target: ['x'], state: 20.5 }],
  ['Name:', { state: 30 }],
  ['Name:', {}],
  ['Name:', { unknown: 1 }],
  ['Name:', { explanation: 'Why' }],
  ['Name:', { extra_flags: 'max-length:10' }],
  ['Name:', { labels: [] }],
  ['Name:', { labels: [999999] }],
  ['Name:', { labels: ['x'] }],
  ['Name:', { labels: null }],
  ['Done.', { target: ['Hotovo.'], state: 20 }],
  ['Done.', { target: ['Hotovo.'], state: 20 }],
  ['Loading...', { target: ['Načítání...'], state: 20 }],
  ['line one\nline two', { target: ['jeden řádek'], state: 20 }],
  [' leading space', { target: ['mezera'], state: 20 }],
  ['Tab\there', { target: ['Tab\tzde'], state: 20 }],
  ['Open file %s', { target: ['Otevřít'], state: 20 }],
  ['Open file %s', { target: ['Otevřít %s'], state: 20 }],
  ['%d file', { target: ['%d a', '%d b', '%d c'], state: 20 }],
  ['%d file', { target: ['%d a', '', '%d c'], state: 20 }],
  ['%d file', { target: ['%d a', '%d b'], state: 20 }],
  ['%d file', { target: ['%d a'], state: 20 }],
  ['%d file', { target: ['', '', ''], state: 20 }],
  ['%d file', { target: ['', '', ''], state: 0 }],
  ['%d day', { target: ['%d den', '', ''], state: 10 }],
  ['%d day', { target: ['%d den', '%d dny', '%d dní', '%d'], state: 20 }],
  ['Read only text', { target: ['x'], state: 20 }],
  ['Read only text', { state: 10 }],
  ['Max length', { target: ['abcdefgh'], state: 20 }],
  ['Max length', { target: ['abc'], state: 20 }],
  ['Commit', { target: ['Commit'], state: 20 }],
  ['x', { target: ['\u200by\u200b'], state: 20 }],
  ['x', { target: ['  y  '], state: 20 }],
  ['x', { target: ['y\r\n'], state: 20 }],
  ['x', { target: ['\u0000'], state: 20 }],
  ['x', { target: ['\u0007bell'], state: 20 }],
  ['UPPER', { target: ['x'.repeat(2000)], state: 20 }],
];

const sourceCases = [
  ['Hello', { explanation: 'A greeting' }],
  ['Hello', { explanation: '' }],
  ['Hello', { explanation: null }],
  ['Save', { extra_flags: 'max-length:30' }],
  ['Save', { extra_flags: 'no-such-flag' }],
  ['Save', { extra_flags: 'read-only' }],
  ['Save', { extra_flags: '' }],
  ['Save', { extra_flags: null }],
  ['Save changes', { extra_flags: 'priority:120' }],
  ['Save changes', { extra_flags: 'placeholders:$NAME$, priority:130' }],
  ['Save changes', { extra_flags: 'markdown-text, xml-text' }],
  ['Save changes', { extra_flags: 'max-length:abc' }],
  ['Done.', { target: ['Finished.'], state: 20 }],
  ['Done.', { state: 20 }],
  ['Done.', { state: 10 }],
  ['Name:', { labels: [999999] }],
  ['Name:', { labels: 'x' }],
];

/** Checks that the component enforces, and edits that fail one, several and none of them. */
const enforced = ['c_format', 'end_colon', 'end_question', 'same'];
const enforcedCases = [
  ['Open file %s', { target: ['Otevřít'], state: 20 }],
  ['Open file %s', { target: ['Otevřít %s'], state: 20 }],
  ['Open file %s', { target: ['Otevřít'], state: 10 }],
  ['Name:', { target: ['Jméno'], state: 20 }],
  ['Really?', { target: ['Really'], state: 20 }],
  ['Commit', { target: ['Commit'], state: 20 }],
  ['%d file', { target: ['%d a', 'b', '%d c'], state: 20 }],
  ['Done.', { target: ['Hotovo'], state: 20 }],
];

export async function edits(context) {
  const { sides, remotes, project: p } = context;
  await makeWorld(context, ['po', 'json']);
  // Each case uses its own string, so that a difference does not affect later cases.
  const own = (list, texts = {}) =>
    list.map(([source], n) => {
      const string = strings.find(({ id }) => id === source);
      return { ...string, cs: texts[source] ?? string.cs, context: `case ${n}` };
    });
  for (const [slug, list, settings] of [
    ['targets', own(cases)],
    ['sources', own(sourceCases)],
    ['enforced', own(enforcedCases, { 'Name:': 'Název:', Commit: 'Zápis' }), { enforced_checks: enforced }],
    ['imported', own(enforcedCases), { enforced_checks: enforced }],
  ])
    await sides.component(p, {
      ...{
        name: slug,
        slug,
        vcs: 'git',
        branch: 'main',
        file_format: 'po',
        filemask: 'po/*.po',
        new_base: 'po/agree.pot',
      },
      ...settings,
      repo: remotes.make(`${p}-${slug}`, { 'po/agree.pot': poFile('', list), 'po/cs.po': poFile('cs', list) }),
    });
  for (const component of ['po', 'json', 'targets', 'sources', 'enforced']) await learnUnits(sides, p, component);
  const area = 'edits';
  const diverged = new Set();
  const unit =
    (component, language, source, key = '') =>
    (side) =>
      `/api/units/${side.ids.get(`${component}|${language}|${key}|${source}`)}/`;
  async function edit(component, language, source, body, key) {
    const path = unit(component, language, source, key);
    const name = `${component}/${language} ${JSON.stringify(source)} ${JSON.stringify(body)?.slice(0, 120)}`;
    const answers = await sides.step(area, `PATCH ${name}`, 'PATCH', path, body);
    if (answers[0].status !== answers[1].status) {
      diverged.add(component);
      return;
    }
    await sides.step('after edits', `string after ${name}`, 'GET', path);
    if (answers.every(({ status }) => status === 200)) {
      await sides.step(
        'history',
        `history after ${name}`,
        'GET',
        `/api/translations/${p}/${component}/${language}/changes/?page_size=1`,
      );
      if (!diverged.has(component))
        for (const [what, tail] of [
          ['statistics', 'statistics/'],
          ['translation', ''],
        ])
          await sides.step(
            'numbers',
            `${what} after ${name}`,
            'GET',
            `/api/translations/${p}/${component}/${language}/${tail}`,
          );
    }
  }
  await sides.ask('POST', `/api/projects/${p}/labels/`, { name: 'urgent', color: 'red' });
  for (const [n, [source, body]] of cases.entries()) await edit('targets', 'cs', source, body, `case ${n}`);
  for (const [n, [source, body]] of sourceCases.entries()) await edit('sources', 'en', source, body, `case ${n}`);
  await sides.step(
    'after edits',
    'strings imported under enforced checks',
    'GET',
    `/api/translations/${p}/imported/cs/units/`,
  );
  for (const [n, [source, body]] of enforcedCases.entries()) await edit('enforced', 'cs', source, body, `case ${n}`);
  await edit('po', 'cs', 'Hello', { target: ['Nazdar'], state: 20 });
  await edit('po', 'cs', 'Save changes', { target: ['Uložit změny'], state: 10 });
  await edit('json', 'de', 'Hello', { target: ['Servus'], state: 20 }, 'greeting');
  await edit('json', 'en', 'Hello', { target: ['Hello there'], state: 20 }, 'greeting');
  await edit('json', 'en', 'Save', { target: [''], state: 20 }, 'menu.save');
  for (const language of ['cs', 'de', 'en'])
    for (const component of ['po', 'json']) {
      await sides.step(
        'numbers',
        `statistics of ${component}/${language} in the end`,
        'GET',
        `/api/translations/${p}/${component}/${language}/statistics/`,
      );
      await sides.step(
        'after edits',
        `${component}/${language} in the end`,
        'GET',
        `/api/translations/${p}/${component}/${language}/units/?page_size=1000`,
      );
    }

  // Adding and removing strings.
  const added = [
    ['po', 'cs', { source: ['Added'], target: ['Přidáno'] }],
    ['po', 'cs', { source: ['Added state'], target: ['Přidáno'], state: 10 }],
    ['po', 'cs', { source: ['Added plural', 'Added plurals'], target: ['a', 'b', 'c'] }],
    ['po', 'cs', { source: [''], target: ['x'] }],
    ['po', 'cs', { target: ['x'] }],
    ['po', 'en', { source: ['Added to source'], target: ['Added to source'] }],
    ['po', 'en', { key: 'k', value: ['v'] }],
    ['json', 'en', { key: 'added', value: ['Added'] }],
    ['json', 'en', { key: 'added', value: ['Added'] }],
    ['json', 'de', { key: 'only.de', value: ['Nur'] }],
    ['json', 'en', { key: 'empty.value', value: [''] }],
    ['json', 'en', { key: 'state', value: ['State'], state: 10 }],
  ];
  // Requests that only one side accepts come last, because the statistics differ afterwards.
  const onlyOurs = [
    ['po', 'cs', { context: 'c', source: ['Added'], target: [''] }],
    ['po', 'cs', { source: 'Added text', target: 'text' }],
    ['po', 'cs', { source: [], target: [] }],
    ['json', 'en', { key: 'added2', value: 'Added' }],
  ];
  await sides.ask('PATCH', `/api/components/${p}/po/`, { manage_units: true });
  await sides.ask('PATCH', `/api/components/${p}/json/`, { manage_units: true });
  for (const [component, language, body] of added) {
    const name = `${component}/${language} ${JSON.stringify(body)}`;
    const answers = await sides.step(
      'strings',
      `POST ${name}`,
      'POST',
      `/api/translations/${p}/${component}/${language}/units/`,
      body,
    );
    if (answers[0].status !== answers[1].status) diverged.add(`${component} strings`);
    if (diverged.has(`${component} strings`)) continue;
    for (const code of ['en', 'cs', 'de'])
      await sides.step(
        'numbers',
        `statistics of ${code} after adding ${name}`,
        'GET',
        `/api/translations/${p}/${component}/${code}/statistics/`,
      );
    await sides.step(
      'history',
      `history after adding ${name}`,
      'GET',
      `/api/translations/${p}/${component}/${language}/changes/?page_size=1`,
    );
  }
  await learnUnits(sides, p, 'po');
  await learnUnits(sides, p, 'json');
  for (const [component, language, source, key] of [
    ['po', 'cs', 'Added', ''],
    ['po', 'de', 'Added', ''],
    ['json', 'en', 'State', 'state'],
    ['json', 'de', 'Added', 'added'],
    ['po', 'en', 'Save changes', ''],
  ]) {
    await sides.step(
      'strings',
      `DELETE ${component}/${language} ${key}|${source}`,
      'DELETE',
      unit(component, language, source, key),
    );
    for (const code of ['en', 'cs', 'de'])
      await sides.step(
        'numbers',
        `statistics of ${code} after removing ${component}/${language} ${key}|${source}`,
        'GET',
        `/api/translations/${p}/${component}/${code}/statistics/`,
      );
  }
  for (const [component, language, body] of onlyOurs)
    await sides.step(
      'strings',
      `POST ${component}/${language} ${JSON.stringify(body)}`,
      'POST',
      `/api/translations/${p}/${component}/${language}/units/`,
      body,
    );
}
