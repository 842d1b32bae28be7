import { startTelemetry } from '@parlance/telemetry';

// Must be the first import: modules loaded before tracing starts are not traced.
startTelemetry('statistics');
