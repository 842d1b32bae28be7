import './start-telemetry';
import { engineTlsFiles } from '@parlance/config';
import { checkNats } from '@parlance/events';
import { checkMongo } from '@parlance/store-kit';
import { runProcess } from '@parlance/telemetry';
import { compose } from './compose';
import { readConfig } from './config';

void runProcess({
  name: 'identity',
  readConfig,
  engines: (config) => ({
    mongo: () => checkMongo(config.MONGODB_URI, engineTlsFiles(config)),
    nats: () => checkNats(config.NATS_URL, engineTlsFiles(config)),
  }),
  compose: (config) => compose(config),
});
