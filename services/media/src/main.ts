import './start-telemetry';
import { runProcess } from '@parlance/telemetry';
import { compose } from './compose';
import { composeOptions, readConfig } from './config';

void runProcess({ name: 'media', readConfig, compose: (config) => compose(composeOptions(config)) });
