import './start-telemetry';
import { engineTlsFiles } from '@parlance/config';
import { checkNats } from '@parlance/events';
import { checkMongo } from '@parlance/store-kit';
import { runProcess } from '@parlance/telemetry';
import { compose } from './compose';
import { composeOptions, readConfig } from './config';

void runProcess({
  name: 'hooks',
  readConfig,
  engines: (config) => ({
    store: () => checkMongo(config.MONGODB_URI, engineTlsFiles(config)),
    events: () => checkNats(config.NATS_URL, engineTlsFiles(config)),
  }),
  compose: (config) => compose(composeOptions(config)),
});
