// npm run stop: stops the installation of this data directory.
import { holderOf } from '../engines/lock.mjs';
import { say, sleep } from '../engines/process.mjs';
import { DataDir } from './data-dir.mjs';

const dataDir = new DataDir();
const holder = holderOf(dataDir.lock);
if (holder) {
  process.kill(holder.pid, 'SIGTERM');
  while (holderOf(dataDir.lock)?.pid === holder.pid) await sleep(200);
  say(`Parlance on ${dataDir.shown} has stopped.`);
} else say(`Parlance does not run on ${dataDir.shown}.`);
