import { startTelemetry } from '@parlance/telemetry';

// Imported first: instrumented modules must load after this.
startTelemetry('statistics');
