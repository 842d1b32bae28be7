import './start-telemetry';
import { engineTlsFiles } from '@parlance/config';
import { checkNats } from '@parlance/events';
import { checkS3 } from '@parlance/object-store';
import { checkMongo } from '@parlance/store-kit';
import { runProcess } from '@parlance/telemetry';
import { compose } from './compose';
import { composeOptions, readConfig } from './config';

void runProcess({
  name: 'media',
  readConfig,
  engines: (config) => ({
    store: () => checkMongo(config.MONGODB_URI, engineTlsFiles(config)),
    events: () => checkNats(config.NATS_URL, engineTlsFiles(config)),
    objects: () => checkS3(composeOptions(config).s3),
  }),
  compose: (config) => compose(composeOptions(config)),
});
