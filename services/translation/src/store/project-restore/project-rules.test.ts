import { RestoredIds } from '@parlance/store-kit';
import { entryHash } from '../../domain/memory/entry';
import type { Models } from '../models';
import { projectRules } from './project-rules';

const ids = new RestoredIds([
  { kind: 'project', from: '7', to: '70' },
  { kind: 'node', from: '5', to: '50' },
  { kind: 'translation', from: '11', to: '110' },
]);
// Only `around` uses the models.
const rules = projectRules({} as Models);
const write = (collection: string, document: Record<string, unknown>) => rules[collection]!.write(document, ids);

describe('the strings of a restored project', () => {
  it('a string keeps its id, and a removed string is not restored', () => {
    const unit = { _id: 40, translation: 11, component: 5, project: 7, sourceUnit: 39 };
    expect(write('units', unit)).toEqual({
      insert: { _id: 40, translation: 110, component: 50, project: 70, sourceUnit: 39 },
    });
    expect(write('units', { ...unit, translation: -11 })).toBeUndefined();
  });

  it('a history entry of a component that was deleted before the backup keeps the id of the component', () => {
    const change = { _id: 9, time: 3, project: 7, component: 4, translation: 0 };
    expect(write('changes', change)).toEqual({ replace: { ...change, project: 70 }, filter: { _id: 9, time: 3 } });
    expect(write('changes', { ...change, project: 0 })).toBeUndefined();
    expect(write('changes', { ...change, project: 8 })).toBeUndefined();
  });

  it('an entry of the memory gets the key of its new owner', () => {
    const language = { id: 1, code: 'en' };
    const entry = { _id: 6, project: 7, source: 'a', target: 'b', origin: 'o', stamp: 1, shared: true };
    const texts = { sourceLanguage: language, targetLanguage: language, user: 0, fromFile: false };
    const restored = write('memory', { ...entry, ...texts, hash: 'of project 7' }) as { insertMissing: object };
    const { _id: _id, ...rest } = entry;
    expect(restored.insertMissing).toMatchObject({ hash: entryHash({ ...rest, ...texts, project: 70 }), project: 70 });
    expect(restored.insertMissing).not.toHaveProperty('_id');
    expect(write('memory', { ...entry, project: undefined })).toBeUndefined();
  });
});
