// Must be the first import: modules loaded before tracing starts are not traced.
import { startTelemetry } from '@parlance/telemetry';

startTelemetry('gateway');
