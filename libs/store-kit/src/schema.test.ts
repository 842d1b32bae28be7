import { createConnection } from 'mongoose';
import {
  documentSchema,
  nullable,
  objectSchema,
  optional,
  optionalNullable,
  required,
  typed,
  type DocumentOf,
} from './schema';

const fruit = documentSchema('fruits', {
  _id: required(Number),
  name: required(String),
  owner: nullable(Number),
  kind: required(String, { enum: ['apple', 'pear'] }),
  seeds: optional([objectSchema({ size: required(Number), marks: optional([String]) })]),
  picked: optionalNullable(Date),
  details: required(typed<Record<string, unknown>>()),
});
type Fruit = DocumentOf<typeof fruit>;

const model = createConnection().model<Fruit>('Fruit', fruit);
const stored = (document: object) => new model(document).toBSON();

/** Paths of invalid fields. */
const problems = (document: object): Promise<string[]> =>
  new model(document).validate().then(
    () => [],
    (error: { errors: object }) => Object.keys(error.errors).sort(),
  );

const pear: Fruit = { _id: 1, name: '', owner: null, kind: 'pear', details: {} };

describe('schemas of documents', () => {
  it('a document is stored without added or removed fields', () => {
    const document = { ...pear, seeds: [{ size: 1, fromNewerVersion: {} }], fromNewerVersion: { empty: {} } };
    expect(stored(document)).toStrictEqual(document);
  });

  it('empty texts and null in nullable fields are valid', async () => {
    expect(await problems({ ...pear, picked: null })).toEqual([]);
  });

  it('missing fields, unknown values of enumerations and null in other fields are invalid', async () => {
    const invalid = { _id: 1, owner: null, kind: 'plum', seeds: [{ marks: null }], details: null };
    expect(await problems(invalid)).toEqual(['details', 'kind', 'name', 'seeds.0.marks', 'seeds.0.size']);
  });

  it('the types of documents are those of the fields', () => {
    const seeds: { size: number; marks?: string[] }[] | undefined = pear.seeds;
    const kind: 'apple' | 'pear' = pear.kind;
    // @ts-expect-error a required field is missing
    const withoutName: Fruit = { _id: 1, owner: null, kind, details: {} };
    // @ts-expect-error the value is not one of the enumeration
    const otherKind: Fruit = { ...pear, kind: 'plum' };
    // @ts-expect-error an optional field is not nullable
    const nullSeeds: Fruit = { ...pear, seeds: null };
    expect([seeds, withoutName, otherKind, nullSeeds]).toHaveLength(4);
  });
});
