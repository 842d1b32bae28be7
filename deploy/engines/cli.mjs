// node deploy/engines/cli.mjs: the engines without the product, for development.
import { existsSync } from 'node:fs';
import { ensureContainerEngine } from './container-engine.mjs';
import { provideEngines, removeEngines, stopEngines } from './engines.mjs';
import { ensureImages, images } from './images.mjs';
import { say } from './process.mjs';

const USAGE = `node deploy/engines/cli.mjs COMMAND [DATA_DIR]

  up       starts the engines of DATA_DIR; prints their addresses as lines for a shell's eval
  down     stops them; their data stays
  remove   stops them and removes their data
  images   only provides the images

DATA_DIR is PARLANCE_DATA_DIR or .data by default.`;

const [command, dataDir = process.env.PARLANCE_DATA_DIR || '.data', ...rest] = process.argv.slice(2);

const commands = {
  up: async () => {
    const { environment } = await provideEngines(dataDir);
    for (const [name, value] of Object.entries(environment))
      process.stdout.write(`export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`);
  },
  down: () => stopEngines(dataDir),
  remove: async () => {
    if (existsSync(dataDir)) await removeEngines(dataDir);
  },
  images: async () => {
    await ensureContainerEngine();
    await ensureImages(Object.keys(images));
  },
};

if (!Object.hasOwn(commands, command ?? '') || rest.length > 0) {
  say(USAGE);
  process.exitCode = command === '--help' ? 0 : 2;
} else {
  await commands[command]().catch((error) => {
    say(error.message);
    process.exitCode = 1;
  });
}
