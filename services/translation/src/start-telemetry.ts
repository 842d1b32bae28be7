// Must be the first import: modules loaded before tracing starts are not instrumented.
import { startTelemetry } from '@parlance/telemetry';

startTelemetry('translation');
