// npm run screenshots [-- --folder F]: pictures of every kind of page of a running Parlance, in light, dark and on a phone.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { makeApi } from '../support/api.mjs';
import { TestRepository } from '../support/repository.mjs';
import { provideChromium } from './chromium.mjs';
import { makePersonOn } from './people.mjs';
import { looks, makeObjects, openPlace, placesOf, repositoryFiles, signInOn } from './places.mjs';

const dataDir = process.env.PARLANCE_DATA_DIR ?? '.data';
const { values: options } = parseArgs({
  options: { folder: { type: 'string', default: join(dataDir, 'screenshots') } },
});
const base = process.env.PARLANCE_URL ?? `http://localhost:${process.env.PORT ?? 8080}`;
const tokenFile = join(dataDir, 'admin-token');
if (!existsSync(tokenFile)) {
  process.stderr.write(`No token: run "npm start" first (it writes ${tokenFile}).\n`);
  process.exit(2);
}
const api = makeApi(base, readFileSync(tokenFile, 'utf8').trim());

const repository = new TestRepository(repositoryFiles());
const browser = await chromium.launch({
  executablePath: await provideChromium(),
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  mkdirSync(options.folder, { recursive: true });
  const places = placesOf(await makeObjects(api, repository));
  const [guest, user] = await Promise.all(
    [0, 1].map(async () => (await browser.newContext({ baseURL: base })).newPage()),
  );
  await signInOn(user, await makePersonOn(api, dataDir, { superuser: true }));
  for (const place of places) {
    const page = place.signedIn ? user : guest;
    await openPlace(page, place);
    for (const { look, colorScheme, viewport } of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      await page.screenshot({ path: join(options.folder, `${place.name}-${look}.png`), fullPage: true });
    }
  }
  process.stdout.write(`${places.length * looks.length} pictures in ${options.folder}\n`);
} finally {
  await browser.close();
  repository.remove();
}
