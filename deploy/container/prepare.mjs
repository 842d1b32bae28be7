// Creates the indexes that this version of a service needs, before its processes start: node prepare.mjs SERVICE, with MONGODB_URI.
// Indexes that exist are left alone, so the version that still runs is not disturbed.
import { createRequire } from 'node:module';
import { argv, env } from 'node:process';

const folder = `/parlance/services/${argv[2]}`;
const require = createRequire(`${folder}/package.json`);
const { engineTlsFiles, engineTlsSettings, loadConfig, z } = require('@parlance/config');
const { connectMongo, ensureIndexes } = require('@parlance/store-kit');
const store = require(`${folder}/dist/store/models`);

const engineTls = engineTlsFiles(loadConfig(z.object(engineTlsSettings), env));
const { connection } = await connectMongo(env.MONGODB_URI ?? '', { autoIndex: false, autoCreate: false, engineTls });
const began = performance.now();
await (store.ensureIndexes ?? ensureIndexes)(store.makeModels(connection));
process.stdout.write(`${argv[2]}: the indexes are ready after ${Math.round(performance.now() - began)} ms\n`);
await connection.close();
