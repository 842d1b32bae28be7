import { sampleTranslation } from '../support/samples';
import { silent } from '../support/process';
import { useDatabase } from '../support/store';

const database = useDatabase();

/** A stored translation and the store of its marks. */
async function start() {
  const { ids, translations } = database.stores(silent);
  const [id] = await ids.range('translation', 1);
  await translations.insert(sampleTranslation(id!));
  const marks = async () => (await translations.listToRecheck()).filter(({ translation }) => translation.id === id);
  return { id: id!, translations, marks };
}

it('the mark of a translation for checks stays if it was set again meanwhile', async () => {
  const { id, translations, marks } = await start();
  await translations.markRecheck([id]);
  const older = await marks();
  await translations.markRecheck([id]);
  await translations.clearRecheck(older);
  const newer = await marks();
  expect(newer).toHaveLength(1);
  await translations.clearRecheck(newer);
  expect(await marks()).toEqual([]);
});

it('changed flags mark a translation for the checks that follow', async () => {
  const { id, translations, marks } = await start();
  await translations.markRecheck([id]);
  const older = await marks();
  await translations.markRerun({ component: sampleTranslation(id).component });
  const { mark } = (await translations.listToRerun()).find(({ translation }) => translation.id === id)!;
  await translations.clearRerun(id, mark);
  await translations.clearRecheck(older);
  expect(await marks()).toHaveLength(1);
});

it('a mark that a process of a former version set can be cleared', async () => {
  const { id, translations, marks } = await start();
  await database.models.translations.updateOne({ _id: id }, { $set: { recheck: true } });
  await translations.clearRecheck(await marks());
  expect(await marks()).toEqual([]);
});
