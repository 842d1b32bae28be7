// Service of the baseline server behind a hop: the direct server's statements, called over gRPC by hop.mjs.
// `node service.mjs URI` prints its port and runs until SIGTERM.
import { createRequire } from 'node:module';
import { serve } from './call.mjs';
import { openStore } from './store.mjs';

// As in hop.mjs.
createRequire(import.meta.url)('../../../libs/grpc-kit/dist/transport/bind-fix.js').fixBind();

const store = await openStore(process.argv[2] ?? '');
const { port, stop } = await serve(store);
process.stdout.write(`${port}\n`);
process.once('SIGTERM', async () => {
  stop();
  await store.remove();
});
