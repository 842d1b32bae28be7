import { startTelemetry } from '@parlance/telemetry';

// A module of its own, imported first: what is to be traced must be loaded after this.
startTelemetry('media');
