// Baseline server: express and the driver over the same store, without accounts, limits, checks, history and counters.
// It shows the current speed of the machine. `node direct.mjs URI` prints its port and runs until SIGTERM.
import { listen } from './front.mjs';
import { openStore } from './store.mjs';

const store = await openStore(process.argv[2] ?? '');
const { port, stop } = await listen(store);
process.stdout.write(`${port}\n`);
process.once('SIGTERM', async () => {
  stop();
  await store.remove();
});
