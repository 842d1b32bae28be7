import { State } from '../../domain/unit';
import { inForms, type FileEntry } from './file-entry';

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

it('gives untranslated plurals the forms of their language, and leaves what is there alone', async () => {
  const entries = [
    entry(['one', 'many'], ['', '']),
    entry(['one', 'many'], ['jeden', '']),
    entry(['single'], ['']),
    entry(['one', 'many'], ['', '', '']),
  ];
  expect((await inForms(entries, 3)).map(({ target }) => target)).toEqual([
    ['', '', ''],
    ['jeden', ''],
    [''],
    ['', '', ''],
  ]);
  expect((await inForms(entries, 1)).map(({ target }) => target)).toEqual([[''], ['jeden', ''], [''], ['']]);
});
