import { Metadata, status } from '@grpc/grpc-js';
import {
  decodeProblems,
  encodeProblems,
  joinProblems,
  collectProblems,
  throwIfInvalid,
  ServiceError,
  fieldErrors,
  fromGrpc,
  reasons,
  toGrpc,
  ERROR_METADATA_KEY,
} from './index';

describe('errors over gRPC', () => {
  it('errors over gRPC keep reason, message and problems', () => {
    const sent = toGrpc(fieldErrors([{ attr: 'slug', code: 'unique', detail: 'This slug is taken.' }]));
    expect(sent.code).toBe(status.INVALID_ARGUMENT);
    const received = fromGrpc(sent);
    expect(received.reason).toBe('INVALID');
    expect(received.problems).toEqual([{ attr: 'slug', code: 'unique', detail: 'This slug is taken.' }]);
  });

  it('errors keep the time after which a request may be repeated', () => {
    const received = fromGrpc(toGrpc(new ServiceError('THROTTLED', { retryAfterSeconds: 60 })));
    expect(received).toMatchObject({ reason: 'THROTTLED', retryAfterSeconds: 60 });
    expect(fromGrpc(toGrpc(new ServiceError('THROTTLED'))).retryAfterSeconds).toBeUndefined();
  });

  it('errors over gRPC hide the text of unexpected errors, even if a driver set a code', () => {
    const driver = Object.assign(new Error('E11000 duplicate key {password: x}'), { code: 11000 });
    const sent = toGrpc(driver);
    expect(sent.code).toBe(status.INTERNAL);
    expect(sent.details).toBe(reasons.INTERNAL.message);
  });

  it('errors over gRPC report an outage of a dependency as UNAVAILABLE, without the text of its driver', () => {
    const named = (name: string, cause?: unknown) => Object.assign(new Error('10.0.0.7:27017', { cause }), { name });
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    for (const error of [
      named('MongoServerSelectionError'),
      named('X', named('MongoNetworkError')),
      named('Y', refused),
      Object.assign(named('MongoServerError'), { code: 50 }),
    ])
      expect(toGrpc(error)).toMatchObject({ code: status.UNAVAILABLE, details: reasons.UNAVAILABLE.message });
    expect(toGrpc(named('MongoServerError')).code).toBe(status.INTERNAL);
  });

  it('errors over gRPC bound the size of the problems', () => {
    const many = Array.from({ length: 1000 }, (_, i) => ({ attr: `f${i}`, code: 'invalid', detail: 'x'.repeat(100) }));
    const bytes = toGrpc(fieldErrors(many)).metadata.get(ERROR_METADATA_KEY)[0] as Buffer;
    expect(bytes.length).toBeLessThan(8000);
  });

  it('errors over gRPC keep the first problem of a field and its nested fields when lists are joined', () => {
    const problem = (attr: string | null, code = 'invalid') => ({ attr, code, detail: '' });
    const known = [problem('groups.0', 'incorrect_type'), problem('email')];
    const found = [
      problem('groups', 'required'),
      problem('email', 'unique'),
      problem('mail'),
      problem(null),
      problem('email.x'),
    ];
    expect(joinProblems(known, found)).toEqual([...known, problem('mail'), problem(null)]);
    expect(joinProblems([], found)).toEqual(found);
    expect(decodeProblems(encodeProblems(known))).toEqual(known);
    const many = Array.from({ length: 1000 }, (_, i) => problem(`field${i}`));
    expect(encodeProblems(many).length).toBeLessThan(8000);
    expect(() => decodeProblems(Buffer.from('{}'))).toThrow(ServiceError);
  });

  it('errors over gRPC are collected from checks and thrown once with all problems', async () => {
    const problem = (attr: string) => ({ attr, code: 'invalid', detail: '' });
    const problems = [problem('a')];
    expect(await collectProblems(problems, () => 1)).toBe(1);
    expect(await collectProblems(problems, () => Promise.reject(fieldErrors([problem('b')])))).toBeUndefined();
    await expect(collectProblems(problems, () => Promise.reject(new ServiceError('LOCKED')))).rejects.toThrow();
    await expect(collectProblems(problems, () => Promise.reject(new ServiceError('INVALID')))).rejects.toThrow();
    expect(problems).toEqual([problem('a'), problem('b')]);
    expect(() => throwIfInvalid([], [])).not.toThrow();
    expect(() => throwIfInvalid([problem('a')], [problem('a.0')])).toThrow(ServiceError);
  });

  it('errors over gRPC map foreign failures by their gRPC status', () => {
    expect(fromGrpc({ code: status.UNAVAILABLE, details: 'x', metadata: new Metadata() }).reason).toBe('UNAVAILABLE');
    expect(fromGrpc(new Error('boom')).reason).toBe('INTERNAL');
    const own = new ServiceError('CONFLICT');
    expect(fromGrpc(own)).toBe(own);
  });
});
