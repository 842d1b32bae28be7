import { engines } from '@parlance/testing';
import { mongo } from 'mongoose';
import { connectMongo, ProjectRestore, type Mongo, type ProjectRules, type RestoredId } from '@parlance/store-kit';

const rules: ProjectRules = {
  parts: {
    newIds: { kind: 'part', sequence: 'part', belongs: ({ project }, ids) => ids.has('project', project) },
    write(document, ids) {
      const moved = ids.moved(document, { project: 'project', parent: 'part' });
      return moved && { insert: moved };
    },
  },
  texts: {
    write(document, ids) {
      const moved = ids.moved(document, { part: 'part', project: 'project' });
      return moved && { insert: moved };
    },
    refersTo: ({ image }) => [{ kind: 'image', from: String(image), to: String(image) }],
    ofProject: (project) => ({ project }),
  },
  history: {
    write(document, ids) {
      const moved = ids.moved(document, { project: 'project' });
      return moved && { replace: moved, filter: { _id: document['_id'], time: document['time'] } };
    },
  },
  notes: {
    ownIds: 'note',
    write: (document, ids) => (ids.has('project', document['project']) ? { insertMissing: document } : undefined),
  },
};

let store: Mongo;
let restore: ProjectRestore;
const collection = (name: string) => store.connection.db!.collection<{ _id: number }>(name);
async function* bytes(...documents: object[]) {
  yield await Promise.resolve(Buffer.concat(documents.map((document) => mongo.BSON.serialize(document))));
}
const project: RestoredId = { kind: 'project', from: '7', to: '70' };

beforeAll(async () => {
  store = await connectMongo((await engines()).mongoUri('project_restore'));
  restore = new ProjectRestore(store.connection, rules, { counters: { copied: true, ofNoProject: 'Ids.' } });
});
afterEach(async () => {
  for (const name of [...Object.keys(rules), 'counters'])
    await store.connection.db!.dropCollection(name).catch(() => undefined);
});
afterAll(() => store.connection.close(true));

it('a collection that no rule decides about is reported', () => {
  const backupRules = { texts: { copied: true }, forgotten: { copied: true } } as const;
  expect(() => new ProjectRestore(store.connection, rules, backupRules)).toThrow('belong to projects: forgotten');
});

it('documents of the project get new ids where their structure has new ones, and keep the others', async () => {
  const parts = [
    { _id: 1, project: 7, parent: 0 },
    { _id: 2, project: 7, parent: 1 },
    { _id: 3, project: 8, parent: 0 },
  ];
  const allocated = await restore.allocate('parts', [project], bytes(...parts));
  expect(allocated.map(({ kind, from }) => `${kind} ${from}`)).toEqual(['part 1', 'part 2']);
  const ids = [project, ...allocated];
  expect(await restore.load('parts', ids, bytes(...parts))).toEqual({ documents: 2, ids: [] });
  const [first, second] = allocated.map(({ to }) => Number(to));
  expect(await collection('parts').find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: first, project: 70, parent: 0 },
    { _id: second, project: 70, parent: first },
  ]);
  const texts = [
    { _id: 40, part: 2, project: 7, image: 'a', long: mongo.Long.fromNumber(5e9) },
    { _id: 41, part: 3, project: 8, image: 'b' },
    { _id: 42, part: 9, project: 7, image: 'c' },
  ];
  expect(await restore.load('texts', ids, bytes(...texts))).toEqual({
    documents: 1,
    ids: [{ kind: 'image', from: 'a', to: 'a' }],
  });
  expect(await collection('texts').find().toArray()).toMatchObject([{ _id: 40, part: second, project: 70 }]);
});

it('an id that another object uses ends the restore', async () => {
  const part = { kind: 'part', from: '2', to: '20' };
  await collection('texts').insertOne({ _id: 40 });
  const loading = restore.load('texts', [project, part], bytes({ _id: 40, part: 2, project: 7 }));
  await expect(loading).rejects.toThrow('Ids of the project are in use in texts');
});

it('history that survived the deletion is attached to the restored project, and missing entries are added', async () => {
  await collection('history').insertOne({ _id: 5, time: 1, project: 7 } as never);
  await collection('history').insertOne({ _id: 6, time: 9, project: 3 } as never);
  await restore.load('history', [project], bytes({ _id: 5, time: 1, project: 7 }, { _id: 4, time: 1, project: 7 }));
  expect(await collection('history').find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: 4, time: 1, project: 70 },
    { _id: 5, time: 1, project: 70 },
    { _id: 6, time: 9, project: 3 },
  ]);
  const another = restore.load('history', [project], bytes({ _id: 6, time: 1, project: 7 }));
  await expect(another).rejects.toThrow('another installation');
});

it('a document that is stored already stays, if the rule allows it', async () => {
  await collection('notes').createIndex({ text: 1 }, { unique: true });
  await restore.load('notes', [project], bytes({ _id: 1, project: 7, text: 'a' }));
  await restore.load('notes', [project], bytes({ _id: 1, project: 7, text: 'a' }, { _id: 2, project: 7, text: 'b' }));
  expect(await collection('notes').countDocuments()).toBe(2);
});

it('data of deleted projects is found until it is deleted', async () => {
  await collection('texts').insertOne({ _id: 40, project: 7 } as never);
  expect(await restore.remaining([7, 70])).toEqual(['texts']);
  await collection('texts').deleteMany({});
  expect(await restore.remaining([7, 70])).toEqual([]);
});
