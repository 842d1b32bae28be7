// npm run demo: the main flow against a running Parlance with a small local repository. Works offline.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeApi } from './support/api.mjs';
import { exampleFiles, TestRepository } from './support/repository.mjs';

const base = process.env.PARLANCE_URL ?? `http://localhost:${process.env.PORT ?? 8080}`;
const tokenFile = join(process.env.PARLANCE_DATA_DIR ?? '.data', 'admin-token');
const token = process.env.PARLANCE_TOKEN ?? (existsSync(tokenFile) ? readFileSync(tokenFile, 'utf8').trim() : '');
if (!token) {
  process.stderr.write(`No token: run "npm start" first (it writes ${tokenFile}) or set PARLANCE_TOKEN.\n`);
  process.exit(2);
}
const api = makeApi(base, token);
const say = (text) => process.stdout.write(`${text}\n`);
const show = (name, value) => say(`   ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);

const slug = `demo-${Date.now().toString(36)}`;
const repository = new TestRepository(exampleFiles());
try {
  say(`1. A git repository with gettext files: ${repository.url}`);

  say(`\n2. POST ${base}/api/projects/ and a component from the repository`);
  await api.post('/api/projects/', { name: `Demo ${slug}`, slug, web: 'https://example.com/' });
  const component = await api.post(`/api/projects/${slug}/components/`, {
    name: 'Example',
    slug: 'example',
    vcs: 'git',
    repo: repository.url,
    push: repository.url,
    branch: 'main',
    filemask: 'po/*.po',
    new_base: 'po/example.pot',
    file_format: 'po',
    push_on_commit: false,
  });
  show('task_url', component.task_url);
  const task = await api.finished(component.task_url, ({ progress }) => show('progress', `${progress} %`));
  show('result', task.result);

  say('\n3. Untranslated units of the Czech translation');
  const path = `/api/translations/${slug}/example/cs`;
  const [unit] = (await api.get(`${path}/units/?q=state:empty`)).results;
  show('unit', { id: unit.id, source: unit.source, context: unit.context, state: unit.state });
  say('   PATCH target and state');
  await api.patch(`/api/units/${unit.id}/`, { target: ['Na shledanou'], state: 20 });
  const saved = await api.get(`/api/units/${unit.id}/`);
  show('unit', {
    target: saved.target,
    state: saved.state,
    pending: saved.pending,
    has_failing_check: saved.has_failing_check,
  });
  const [change] = (await api.get(`${path}/changes/`)).results;
  show('newest change', { action_name: change.action_name, target: change.target });
  const statistics = await api.get(`${path}/statistics/`);
  show('statistics', { total: statistics.total, translated: statistics.translated, failing: statistics.failing });
  const downloaded = await api.bytes(`${path}/file/`);
  show('the download contains the text', downloaded.includes('Na shledanou'));

  say('\n4. Commit and push');
  const before = repository.remoteFile('po/cs.po');
  show('commit', await api.post(`/api/components/${slug}/example/repository/`, { operation: 'commit' }));
  show('push', await api.post(`/api/components/${slug}/example/repository/`, { operation: 'push' }));
  const [head] = repository.log();
  show('newest commit of the remote', `${head.author}: ${head.subject}`);
  const after = repository.remoteFile('po/cs.po').toString();
  show(
    'changed bytes',
    after.replace('msgstr "Na shledanou', 'msgstr "').length === before.toString().length
      ? 'only the string'
      : after.length - before.length,
  );

  say('\n5. Upstream and Parlance change the same string; POST /hooks/github/ triggers the update');
  repository.pull();
  repository.write({ 'po/cs.po': repository.read('po/cs.po').toString().replace('Ahoj, světe!', 'Nazdar, světe!') });
  repository.commit('Greet differently');
  repository.push();
  const [hello] = (await api.get(`${path}/units/?q=${encodeURIComponent('source:="Hello, world!"')}`)).results;
  await api.patch(`/api/units/${hello.id}/`, { target: ['Dobrý den, světe!'], state: 20 });
  const hook = await makeApi(base).send(
    'POST',
    '/hooks/github/',
    {
      ref: 'refs/heads/main',
      repository: {
        name: 'remote',
        owner: { login: 'demo' },
        clone_url: repository.url,
        html_url: repository.url,
        url: repository.url,
      },
    },
    { 'x-github-event': 'push' },
  );
  show('hook', hook.body);
  show('pull', await api.post(`/api/components/${slug}/example/repository/`, { operation: 'pull' }));
  const merged = await api.get(`/api/units/${hello.id}/`);
  show('unit', { target: merged.target, has_suggestion: merged.has_suggestion });
  const history = await api.get(`${path}/changes/`);
  for (const entry of history.results.slice(0, 6))
    show('change', { action: entry.action, action_name: entry.action_name, target: entry.target, old: entry.old });
  say('\nDone. No text is lost: the local text is in the file; the upstream text is a suggestion and in the history.');
} finally {
  repository.remove();
}
