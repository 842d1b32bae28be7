import type { Permission } from '@parlance/access';
import { uploadRequest, uploadWorld } from '../../../test/support/memory/uploads';
import { fieldsOf, reasonOf } from '../../../test/support/memory/world';
import { allowUpload, fileOf, namedInHistory, type UploadRequest } from './upload-rules';

const uploader: Permission[] = ['upload.perform', 'unit.edit'];

function start(settings = {}) {
  const { world, component, source, czech } = uploadWorld(settings);
  const allow = async (permissions: Permission[], request: Partial<UploadRequest> = {}, translation = czech) =>
    allowUpload(world.user(3, permissions), uploadRequest(request), translation, component);
  return { world, component, source, czech, allow };
}

describe('allowUpload', () => {
  it('allowUpload by default translates in the name of the uploader, and keeps translated strings', async () => {
    const { allow } = start();
    const expected = { method: 'translate', kind: 'texts', state: 20, conflicts: '', fuzzy: '', author: { userId: 3 } };
    expect(await allow(uploader)).toMatchObject(expected);
    expect(await allow(uploader, { conflicts: 'ignore' })).toMatchObject(expected);
  });

  it('a locked component takes no upload', async () => {
    expect(await reasonOf(start({ locked: true }).allow(uploader))).toBe('LOCKED');
  });

  it.each<[string, Permission[], Partial<UploadRequest>]>([
    ['translate', ['unit.edit'], {}],
    ['fuzzy', ['unit.edit'], {}],
    ['approve', ['unit.review'], {}],
    ['suggest', ['suggestion.add'], {}],
    ['add', ['unit.add'], {}],
    ['replace', ['component.edit'], {}],
    ['replace', ['unit.add', 'unit.delete', 'unit.edit'], {}],
    ['translate', ['unit.edit', 'upload.overwrite'], { conflicts: 'replace-translated' }],
    ['translate', ['unit.edit', 'upload.overwrite', 'unit.review'], { conflicts: 'replace-approved' }],
  ])('the method "%s" requires upload.perform and %j (%j)', async (method, permissions, request) => {
    const { allow } = start({ translationReview: true });
    const all: Permission[] = ['upload.perform', ...permissions];
    expect(await reasonOf(allow(all, { method, ...request }))).toBe('OK');
    for (const missing of all) {
      const others = all.filter((permission) => permission !== missing);
      expect([missing, await reasonOf(allow(others, { method, ...request }))]).toEqual([missing, 'PERMISSION_DENIED']);
    }
  });

  it('a glossary has permissions of its own', async () => {
    const { allow } = start({ isGlossary: true });
    expect(await reasonOf(allow(['glossary.upload', 'glossary.edit']))).toBe('OK');
    expect(await reasonOf(allow(uploader))).toBe('PERMISSION_DENIED');
  });

  it('texts of the source language require unit.template as well', async () => {
    const { allow, source } = start({ template: 'en.po' });
    expect(await reasonOf(allow(uploader, {}, source))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(allow([...uploader, 'unit.template'], {}, source))).toBe('OK');
  });

  it('where votes decide, texts require unit.override', async () => {
    const { allow } = start({ suggestionVoting: true, suggestionAutoaccept: 2 });
    expect(await reasonOf(allow(uploader))).toBe('PERMISSION_DENIED');
    expect(await reasonOf(allow([...uploader, 'unit.override']))).toBe('OK');
    expect(await reasonOf(allow(['upload.perform', 'suggestion.add'], { method: 'suggest' }))).toBe('OK');
  });

  it('a component without suggestions takes none from files', async () => {
    const { allow } = start({ enableSuggestions: false });
    const permissions: Permission[] = ['upload.perform', 'suggestion.add'];
    expect(await reasonOf(allow(permissions, { method: 'suggest' }))).toBe('PERMISSION_DENIED');
  });

  it.each<[string, Partial<UploadRequest>, string[]]>([
    ['unknown choices', { method: 'x', conflicts: 'y', fuzzy: 'z' }, ['method', 'conflicts', 'fuzzy']],
    ['a name of an object property as method', { method: 'constructor' }, ['method']],
    ['control characters in the name', { authorName: 'Ana\n' }, ['author_name']],
    ['angle brackets in the name', { authorName: 'Ana <a@b.cz>' }, ['author_name']],
    ['a name of 151 characters', { authorName: 'a'.repeat(151) }, ['author_name']],
    ['an address without a domain', { authorEmail: 'ana' }, ['author_email']],
    ['an address with a list', { authorEmail: 'a@b.cz,c@d.cz' }, ['author_email']],
  ])('allowUpload refuses %s, naming all fields', async (_, request, fields) => {
    const problems = await fieldsOf(start().allow(uploader, request));
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(fields);
  });

  it('approval and the replacement of approved strings require the review workflow', async () => {
    const { allow } = start();
    expect(await fieldsOf(allow(uploader, { method: 'approve' }))).toEqual(['method:invalid']);
    expect(await fieldsOf(allow(uploader, { conflicts: 'replace-approved' }))).toEqual(['conflicts:invalid']);
  });

  it.each([
    ['bilingual source strings have no text of their own', {}, 'translate'],
    ['strings are not managed here', { manageUnits: false }, 'add'],
    ['a source translation without a file cannot be replaced', {}, 'replace'],
    ['only gettext components with a base file take "source"', {}, 'source'],
    ['a monolingual base file is uploaded with "replace"', { template: 'en.po', newBase: 'en.po' }, 'source'],
    ['edit_template is off', { template: 'en.po', editTemplate: false }, 'add'],
  ])('allowUpload refuses a method for the source language when %s', async (_, settings, method) => {
    const { allow, source } = start(settings);
    expect(await fieldsOf(allow(uploader, { method }, source))).toEqual(['method:invalid']);
  });

  it('strings of a monolingual component are added to its source language', async () => {
    const { allow, source } = start({ template: 'en.po' });
    const permissions: Permission[] = ['upload.perform', 'unit.add'];
    expect(await fieldsOf(allow(permissions, { method: 'add' }))).toEqual(['method:invalid']);
    expect(await reasonOf(allow(permissions, { method: 'add' }, source))).toBe('OK');
  });

  it('"source" is available for the source language only', async () => {
    const { allow, source } = start({ newBase: 'p.pot' });
    const permissions: Permission[] = ['upload.perform', 'component.edit'];
    expect(await fieldsOf(allow(permissions, { method: 'source' }))).toEqual(['method:invalid']);
    expect(await reasonOf(allow(permissions, { method: 'source' }, source))).toBe('OK');
  });

  describe('author', () => {
    const named = { authorName: 'Bob', authorEmail: 'bob@example.com' };

    it('another author requires upload.authorship; without it the uploader is the author', async () => {
      const { allow } = start();
      expect((await allow(uploader, named)).author).toMatchObject({ userId: 3 });
      const { author } = await allow([...uploader, 'upload.authorship'], named);
      expect(author).toEqual({ userId: 0, username: '', fullName: 'Bob', email: 'bob@example.com' });
    });

    it('a missing name or address is the one of the uploader', async () => {
      const { author } = await start().allow([...uploader, 'upload.authorship'], { authorName: 'Bob' });
      expect(author).toMatchObject({ userId: 0, fullName: 'Bob', email: 'user-3@example.com' });
    });

    it('the own name and address, in any case, stay the account of the uploader', async () => {
      const own = { authorName: 'User 3', authorEmail: 'USER-3@example.com' };
      const { author } = await start().allow([...uploader, 'upload.authorship'], own);
      expect(author).toMatchObject({ userId: 3, email: 'user-3@example.com' });
    });

    it('the history names an author without an account', async () => {
      const { allow } = start();
      expect(namedInHistory(await allow([...uploader, 'upload.authorship'], named))).toEqual({ author: 'Bob' });
      expect(namedInHistory(await allow(uploader))).toEqual({});
    });
  });

  it('the file of a source translation without its own file is the base file', () => {
    const { component, source, czech } = start({ newBase: 'p.pot' });
    expect(fileOf(source, component)).toBe('p.pot');
    expect(fileOf(czech, component)).toBe('cs.po');
    expect(fileOf({ ...czech, filename: '' }, component)).toBe('');
  });
});
