// Real git repositories for tests, created with the git command.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const identity = [
  '-c',
  'user.name=Upstream Developer',
  '-c',
  'user.email=upstream@example.com',
  '-c',
  'commit.gpgsign=false',
  '-c',
  'init.defaultBranch=main',
];

/** A bare repository that serves as remote, and a developer's work tree that pushes to it. */
export class TestRepository {
  /** @param {Record<string, string | Buffer>} files path to content */
  constructor(files, folder = mkdtempSync(join(tmpdir(), 'parlance-e2e-')), name = 'remote') {
    this.folder = folder;
    this.bare = join(folder, `${name}.git`);
    this.tree = join(folder, 'developer');
    mkdirSync(this.tree, { recursive: true });
    execFileSync('git', [...identity, 'init', '-q', '--bare', this.bare]);
    this.git('init', '-q');
    this.git('remote', 'add', 'origin', this.bare);
    this.write(files);
    this.commit('Initial texts');
    this.push();
  }

  /** Clone address: the folder itself, or its address below PARLANCE_GIT_BASE, which serves temporary files. */
  get url() {
    if (process.env.PARLANCE_GIT_BASE) return `${process.env.PARLANCE_GIT_BASE}/${relative(tmpdir(), this.bare)}`;
    return `file://${this.bare}`;
  }

  /** Runs git in the work tree; the message of an error has what git printed. */
  git(...args) {
    return execFileSync('git', [...identity, ...args], {
      cwd: this.tree,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** @param {Record<string, string | Buffer>} files path to content */
  write(files) {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.tree, path)), { recursive: true });
      writeFileSync(join(this.tree, path), content);
    }
  }

  commit(message) {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
  }

  push() {
    this.git('push', '-q', 'origin', 'HEAD:main');
  }

  pull() {
    this.git('pull', '-q', '--rebase', 'origin', 'main');
  }

  read(path) {
    return readFileSync(join(this.tree, path));
  }

  /**
   * Commits of the remote's main branch, newest first.
   * @returns {Record<'hash' | 'author' | 'committer' | 'subject', string>[]}
   */
  log() {
    const out = execFileSync(
      'git',
      ['--git-dir', this.bare, 'log', '--format=%H%x00%an <%ae>%x00%cn <%ce>%x00%s', 'main'],
      { encoding: 'utf8' },
    );
    return out
      .trim()
      .split('\n')
      .map((line) => {
        const [hash, author, committer, subject] = line.split('\0');
        return { hash, author, committer, subject };
      });
  }

  /** Content of a file in the remote's main branch. */
  remoteFile(path) {
    return execFileSync('git', ['--git-dir', this.bare, 'show', `main:${path}`], { maxBuffer: 1 << 28 });
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const plurals = {
  cs: 'nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;',
  de: 'nplurals=2; plural=n != 1;',
  fr: 'nplurals=2; plural=n > 1;',
};

/** PO header as gettext writes it. */
export function poHeader(language) {
  return `# Translations of the example.
msgid ""
msgstr ""
"Project-Id-Version: example 1.0\\n"
"Report-Msgid-Bugs-To: \\n"
"POT-Creation-Date: 2026-01-01 12:00+0000\\n"
"PO-Revision-Date: 2026-01-02 12:00+0000\\n"
"Last-Translator: Somebody <somebody@example.com>\\n"
"Language-Team: none\\n"
"Language: ${language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: ${plurals[language] ?? plurals.de}\\n"

`;
}

/**
 * The example's files: a template, Czech (partly translated, wrapped and commented) and German.
 * @returns {Record<string, string> & Record<'po/example.pot' | 'po/cs.po' | 'po/de.po' | 'README', string>} path to content
 */
export function exampleFiles() {
  const template = `${poHeader('')}#: src/main.c:10
msgid "Hello, world!"
msgstr ""

#: src/main.c:20
#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""

#. Shown when the program ends.
#: src/main.c:30
msgctxt "farewell"
msgid "Good bye."
msgstr ""
`;
  const czech = `${poHeader('cs')}#: src/main.c:10
msgid "Hello, world!"
msgstr "Ahoj, světe!"

#: src/main.c:20
#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d soubor"
msgstr[1] "%d soubory"
msgstr[2] "%d souborů"

# A translator's remark that has to stay.
#. Shown when the program ends.
#: src/main.c:30
msgctxt "farewell"
msgid "Good bye."
msgstr ""

#~ msgid "Old text"
#~ msgstr "Starý text"
`;
  const german = template
    .replace('"Language: \\n"', '"Language: de\\n"')
    .replace('msgid "Hello, world!"\nmsgstr ""', 'msgid "Hello, world!"\nmsgstr "Hallo, Welt!"');
  return { 'po/example.pot': template, 'po/cs.po': czech, 'po/de.po': german, README: 'An example.\n' };
}
