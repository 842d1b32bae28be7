import { counter, histogram, secondsSince } from '@parlance/telemetry';
import { EngineError, type EngineHttp } from '../../domain/machinery/engine';
import { field } from './responses';

const requests = counter('parlance_machinery_requests_total');
const seconds = histogram('parlance_machinery_request_duration_seconds');
const tokens = counter('parlance_machinery_tokens_total');

/** Measures the requests to an engine. */
export function measuredHttp(engine: string, http: EngineHttp): EngineHttp {
  return async (request) => {
    const startedAt = performance.now();
    const end = (outcome: string) => {
      requests.inc({ engine, outcome });
      seconds.observe({ engine }, secondsSince(startedAt));
    };
    try {
      const answer = await http(request);
      end('ok');
      return answer;
    } catch (error) {
      end(error instanceof EngineError && error.temporary ? 'temporary' : 'failed');
      throw error;
    }
  };
}

/**
 * Counts the tokens of a chat completion from the `usage` object of its response. Compatible servers may omit the object or a number,
 * which is then not counted.
 */
export function countTokens(engine: string, usage: unknown): void {
  for (const direction of ['prompt', 'completion']) {
    const used = field(usage, `${direction}_tokens`);
    // A counter rejects negative values, and a response must not make a translation fail for its statistics.
    if (Number.isSafeInteger(used) && (used as number) >= 0) tokens.inc({ engine, direction }, used as number);
  }
}
