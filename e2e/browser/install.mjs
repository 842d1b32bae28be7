// node e2e/browser/install.mjs: provides the browser of the tests. npm test runs it early, before the long stages.
import { say } from '../../deploy/engines/process.mjs';
import { provideChromium } from './chromium.mjs';

await provideChromium().then(
  (path) => say(`The tests run in ${path}.`),
  (error) => {
    say(error.message);
    process.exitCode = 1;
  },
);
