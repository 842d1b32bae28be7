import { language, sampleTranslation } from '../support/samples';
import { silent } from '../support/process';
import { useDatabase } from '../support/store';

const database = useDatabase();

// FerretDB deletes nothing with deleteOne while another client updates the document; two replicas do that to a deleted component.
it('a translation that another process updates all the time is removed', async () => {
  const { translations, ids } = database.stores(silent);
  const other = database.stores(silent).translations;
  for (const id of await ids.range('translation', 30)) {
    await translations.insert(sampleTranslation(id));
    let removed = false;
    const updates = Promise.all(
      [translations, other].map(async (store, i) => {
        for (let n = 0; !removed; n++) await store.update(id, { language: language(i + n > 0 ? 'cs' : 'de') });
      }),
    );
    await translations.remove(id);
    removed = true;
    await updates;
    expect(await translations.get(id)).toBeNull();
  }
});
