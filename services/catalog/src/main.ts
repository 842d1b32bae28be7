import './start-telemetry';
import { runProcess } from '@parlance/telemetry';
import { compose } from './compose';
import { readConfig } from './config';

void runProcess({ name: 'catalog', readConfig, compose: (config) => compose(config) });
