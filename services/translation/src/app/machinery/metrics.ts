import { counter, histogram, secondsSince } from '@parlance/telemetry';
import { EngineError, type EngineHttp } from '../../domain/machinery/engine';

const requests = counter('parlance_machinery_requests_total');
const seconds = histogram('parlance_machinery_request_duration_seconds');

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
