// Front of the baseline server behind a hop: the direct server's express, with a gRPC call in place of the driver.
// `node hop.mjs ADDRESS` calls service.mjs at host:port, prints its own port and runs until SIGTERM.
import { createRequire } from 'node:module';
import { connect } from './call.mjs';
import { listen } from './front.mjs';

// Parlance's processes have this fix, too: without it the hop would look more expensive than it has to be.
createRequire(import.meta.url)('../../../libs/grpc-kit/dist/transport/bind-fix.js').fixBind();

const store = connect(process.argv[2] ?? '');
const { port, stop } = await listen(store);
process.stdout.write(`${port}\n`);
process.once('SIGTERM', () => {
  stop();
  store.close();
});
