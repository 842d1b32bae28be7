import { isOutage } from '@parlance/errors';
import { mongo } from 'mongoose';

type Constructor = new (...args: never[]) => Error;

/** An instance of a driver's class; the arguments of its constructor do not matter here. */
function instance(name: keyof typeof mongo): Error {
  return Object.create((mongo[name] as Constructor).prototype) as Error;
}

const names = [
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoOperationTimeoutError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoStalePrimaryError',
  'MongoExpiredSessionError',
  'MongoWriteConcernError',
] as const satisfies (keyof typeof mongo)[];

describe('an outage of MongoDB', () => {
  it.each(names)('an outage of MongoDB is recognized by the %s of the driver', (name) => {
    expect(isOutage(instance(name))).toBe(true);
  });

  it('an outage of MongoDB is recognized when a bulk write wraps the broken connection', () => {
    const broken = new mongo.MongoNetworkError('connection 14 to 127.0.0.1:27017 closed');
    const bulk = new mongo.MongoBulkWriteError(broken, {} as mongo.BulkWriteResult);
    expect(bulk.name).toBe('MongoBulkWriteError');
    expect(isOutage(bulk)).toBe(true);
  });

  it('an outage of MongoDB is not confused with a violated unique index in a bulk write', () => {
    const duplicate = { message: 'E11000 duplicate key', code: 11000, writeErrors: [] };
    expect(isOutage(new mongo.MongoBulkWriteError(duplicate, {} as mongo.BulkWriteResult))).toBe(false);
  });
});
