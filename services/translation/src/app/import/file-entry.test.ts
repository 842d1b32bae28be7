import { State } from '../../domain/unit';
import { withPluralForms, type FileEntry } from './file-entry';

const entry = (source: string[], target: string[]): FileEntry => ({
  key: source[0]!,
  context: '',
  source,
  target,
  state: State.empty,
  note: '',
  location: '',
  flags: '',
  previousSource: [],
});

it('Untranslated plurals get the number of forms of their language; other entries stay unchanged', async () => {
  const entries = [
    entry(['one', 'many'], ['', '']),
    entry(['one', 'many'], ['jeden', '']),
    entry(['single'], ['']),
    entry(['one', 'many'], ['', '', '']),
  ];
  expect((await withPluralForms(entries, 3)).map(({ target }) => target)).toEqual([
    ['', '', ''],
    ['jeden', ''],
    [''],
    ['', '', ''],
  ]);
  expect((await withPluralForms(entries, 1)).map(({ target }) => target)).toEqual([[''], ['jeden', ''], [''], ['']]);
});
