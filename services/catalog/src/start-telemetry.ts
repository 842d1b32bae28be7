// Imported before everything else: what is loaded before tracing starts is not traced.
import { startTelemetry } from '@parlance/telemetry';

startTelemetry('catalog');
