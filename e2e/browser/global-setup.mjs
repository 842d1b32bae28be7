import startSystems from '../global-setup.mjs';
import { provideChromium } from './chromium.mjs';

/** The system under test as for the tests over HTTP, and a browser. @param {{maxWorkers: number}} jest */
export default async function setup(jest) {
  process.env.PARLANCE_E2E_CHROMIUM = await provideChromium();
  await startSystems(jest);
}
