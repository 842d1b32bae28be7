import './start-telemetry';
import { runProcess } from '@parlance/telemetry';
import { compose } from './compose';
import { composeOptions, readConfig } from './config';

void runProcess({ name: 'hooks', readConfig, compose: (config) => compose(composeOptions(config)) });
