import { isServiceError } from '@parlance/errors';
import { counter, histogram, secondsSince } from '@parlance/telemetry';

const calls = counter('parlance_grpc_client_calls_total');
const seconds = histogram('parlance_grpc_client_duration_seconds');

type Method = (...args: never[]) => Promise<unknown> | AsyncGenerator<unknown>;

/** Measures the calls of a client's method; a stream is measured until its reader is done. */
export function measured(service: string, method: string, call: Method): Method {
  const startedCall = () => {
    const startedAt = performance.now();
    return (status: string) => {
      seconds.observe({ service, method }, secondsSince(startedAt));
      calls.inc({ service, method, status });
    };
  };
  return (...args) => {
    const end = startedCall();
    const result = call(...args);
    if (Symbol.asyncIterator in result) return measuredStream(result, end);
    result.then(
      () => end('OK'),
      (error: unknown) => end(statusOf(error)),
    );
    return result;
  };
}

async function* measuredStream<T>(stream: AsyncGenerator<T>, end: (status: string) => void): AsyncGenerator<T> {
  let status = 'OK';
  try {
    yield* stream;
  } catch (error) {
    status = statusOf(error);
    throw error;
  } finally {
    end(status);
  }
}

const statusOf = (error: unknown): string => (isServiceError(error) ? error.reason : 'INTERNAL');
