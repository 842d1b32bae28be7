import { fieldsOf, MemoryCatalog, componentOf, reasonOf } from '../../../test/support/memory/world';
import { Effects } from '../../../test/support/memory/effects';
import { fieldError, requireComponent } from './require-component';

describe('requireComponent', () => {
  it('a component of the catalog is returned, and a missing one is not found', async () => {
    const catalog = new MemoryCatalog(new Effects());
    catalog.stored.set(1, componentOf(1));
    expect((await requireComponent({ catalog }, 1)).settings.id).toBe(1);
    expect(await reasonOf(requireComponent({ catalog }, 2))).toBe('NOT_FOUND');
  });
});

describe('fieldError', () => {
  it('an error of a field names it', async () => {
    expect(await fieldsOf(Promise.reject(fieldError('repo', 'invalid', 'No.')))).toEqual(['repo:invalid']);
  });
});
