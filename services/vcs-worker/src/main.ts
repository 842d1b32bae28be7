import './start-telemetry';
import { runProcess } from '@parlance/telemetry';
import { compose } from './compose';
import { readConfig } from './config';

void runProcess({ name: 'vcs-worker', readConfig, compose: (config) => compose(config) });
