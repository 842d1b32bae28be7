import { status } from '@grpc/grpc-js';
import { fromGrpc, isOutage, toGrpc } from './index';

type Fields = Record<string, unknown>;

/** An error as a driver throws it. */
function driverError(name: string, message: string, fields: Fields = {}): Error {
  return Object.assign(new Error(message), { name, ...fields });
}

const mongoServer = (code: number) => driverError('MongoServerError', `code ${code}`, { code });

const outages: [string, Error][] = [
  ['a server error of MongoDB that carries a retryable label', labelled('RetryableWriteError')],
  ['a refused connection', driverError('Error', 'connect', { code: 'ECONNREFUSED' })],
  ['a host without an address', driverError('Error', 'getaddrinfo', { code: 'ENOTFOUND' })],
  ['a name server that does not answer', driverError('Error', 'getaddrinfo', { code: 'EAI_AGAIN' })],
  ['a body that ends early', driverError('Error', 'Premature close', { code: 'ERR_STREAM_PREMATURE_CLOSE' })],
  ['a Redis connection that closes', driverError('Error', 'Connection is closed.')],
  ['a Redis command that times out', driverError('Error', 'Command timed out')],
  [
    'a Redis connection that is not open',
    driverError('Error', "Stream isn't writeable and enableOfflineQueue options is false"),
  ],
  ['a Redis command that was retried in vain', driverError('MaxRetriesPerRequestError', 'Reached the max retries')],
  ['a Redis server that loads its data', driverError('ReplyError', 'LOADING Redis is loading the dataset in memory')],
  ['a Redis server that became a replica', driverError('ReplyError', "READONLY You can't write against a replica.")],
  ['a NATS request without an answer', driverError('TimeoutError', 'timeout')],
  ['a NATS server without JetStream', driverError('NoResponders', "no responders: '$JS.API.INFO'")],
  ['a closed NATS connection', driverError('ClosedConnectionError', 'closed connection')],
  [
    'a JetStream cluster without a leader',
    driverError('JetStreamApiError', 'unavailable', { code: 10008, status: 503 }),
  ],
  ['an S3 server that is overloaded', driverError('S3Error', 'Please reduce your request rate.', { code: 'SlowDown' })],
  ['an S3 server that starts', driverError('S3Error', 'starting', { code: 'XMinioServerNotInitialized' })],
  ['an S3 server whose disks are full', driverError('S3Error', 'full', { code: 'XMinioStorageFull' })],
  [
    'a Redis server without free memory',
    driverError('ReplyError', 'OOM command not allowed when used memory > maxmemory'),
  ],
  [
    'a mongoose call during a reconnect',
    driverError('MongooseError', 'Operation `x` buffering timed out after 10000ms'),
  ],
  ...[6, 7, 43, 50, 64, 89, 91, 100, 133, 134, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031].map(
    (code): [string, Error] => [`code ${code} of MongoDB`, mongoServer(code)],
  ),
];

function labelled(label: string): Error {
  return driverError('MongoServerError', label, { hasErrorLabel: (name: string) => name === label });
}

const defects: [string, unknown][] = [
  ['a duplicate key', mongoServer(11000)],
  ['an invalid query', mongoServer(2)],
  [
    'a bulk write with a duplicate key',
    driverError('MongoBulkWriteError', 'E11000', { errorResponse: mongoServer(11000) }),
  ],
  ['a number that only MongoDB uses as a code', driverError('Error', 'x', { code: 91 })],
  ['a missing stream', driverError('JetStreamApiError', 'stream not found', { code: 10059, status: 404 })],
  ['a wrong type of a Redis key', driverError('ReplyError', 'WRONGTYPE Operation against a key')],
  ['a denied S3 request', driverError('S3Error', 'denied', { code: 'AccessDenied' })],
  ['a defect of this code', new TypeError('x is undefined')],
  ['a value that is no error', 'Connection is closed.'],
];

describe('isOutage', () => {
  it.each(outages)('isOutage recognizes %s', (_, error) => {
    expect(isOutage(error)).toBe(true);
    expect(isOutage(new Error('outer', { cause: error }))).toBe(true);
    expect(toGrpc(error).code).toBe(status.UNAVAILABLE);
  });

  it.each(defects)('isOutage does not take %s for an outage', (_, error) => {
    expect(isOutage(error)).toBe(false);
    expect(toGrpc(error).code).toBe(status.INTERNAL);
  });

  it('isOutage inspects a bounded chain of causes', () => {
    const loop = new Error('loop');
    loop.cause = loop;
    expect(isOutage(loop)).toBe(false);
  });
});

describe('the failure of a call whose server died', () => {
  it.each([
    [status.INTERNAL, 'Received RST_STREAM with code 0 (Call ended without gRPC status)'],
    [status.INTERNAL, 'Received RST_STREAM with code 2 triggered by internal client error: write EPIPE'],
    [status.RESOURCE_EXHAUSTED, 'Bandwidth exhausted or memory limit exceeded'],
    [status.UNAVAILABLE, 'Connection dropped'],
    [status.CANCELLED, 'Call cancelled'],
  ])('the failure of a call whose server died with status %i and "%s" is UNAVAILABLE', (code, details) => {
    expect(fromGrpc(Object.assign(new Error(`${code} ${details}`), { code, details })).reason).toBe('UNAVAILABLE');
  });

  it('the failure of a call whose server died is INTERNAL if the answer cannot be decoded', () => {
    const details = 'Response message parsing error: invalid wire type';
    expect(fromGrpc(Object.assign(new Error(details), { code: status.INTERNAL, details })).reason).toBe('INTERNAL');
  });
});
