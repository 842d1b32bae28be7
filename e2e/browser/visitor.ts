// Chromium with the pages of the system under test.
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type ElementHandle,
  type Locator,
  type Page,
} from 'playwright-core';
import { system } from '../support/system.mjs';
import { makePersonOn } from './people.mjs';

const { api, base, dataDir } = system();
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['PARLANCE_E2E_CHROMIUM']!,
    // Chromium's sandbox does not start as root, and the pages are our own.
    chromiumSandbox: process.getuid?.() !== 0,
  });
});
afterAll(() => browser.close());

/** A page in a profile of its own, and everything that a page must not do. */
export interface Visitor {
  page: Page;
  /** Errors of scripts, violations of the policy, dialogs, and requests to other sites. */
  problems: string[];
  close(): Promise<void>;
}

/** Opens a browser without cookies. */
export async function visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: base, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // Chromium also logs the status of a page that reports an error.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${base}/`) && !address.startsWith('data:')) problems.push(`request: ${address}`);
  });
  return { page, problems, close: () => context.close() };
}

/** A new user of the system under test with a password. */
export const makePerson = (kind: { superuser?: boolean } = {}) => makePersonOn(api, dataDir, kind);

/** More stops than any page has. */
const MAX_STOPS = 500;

interface Stop {
  name: string;
  /** Whether the browser draws an outline around the element, within the window. */
  visible: boolean;
  isTarget: boolean;
}

/** The focused element; null for none. One request to the browser, because a flow has hundreds of stops. */
const focused = (page: Page, target: ElementHandle): Promise<Stop | null> =>
  page.evaluate((wanted) => {
    const element = document.activeElement!;
    if (element === document.body) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const { top, bottom, left, right, width } = element.getBoundingClientRect();
    const inWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && width > 0;
    return {
      name: element.outerHTML.slice(0, 120),
      visible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && inWindow,
      isTarget: element === wanted,
    };
  }, target);

/** Presses Tab until an element has the focus. Every stop on the way must show the focus. */
export async function tabTo({ page }: Visitor, target: Locator): Promise<void> {
  const wanted = (await target.elementHandle())!;
  for (let stops = 0; stops < MAX_STOPS; stops++) {
    await page.keyboard.press('Tab');
    const stop = await focused(page, wanted);
    if (!stop) continue;
    expect(stop).toEqual({ ...stop, visible: true });
    if (stop.isTarget) return;
  }
  throw new Error(`The Tab key does not reach ${target.toString()}`);
}

/** Goes to an element with Tab and presses Enter; waits for the page that follows. */
export async function follow(visit: Visitor, target: Locator): Promise<void> {
  await tabTo(visit, target);
  await Promise.all([visit.page.waitForEvent('load'), visit.page.keyboard.press('Enter')]);
}

/** Goes to a field with Tab and types its text. */
export async function enter(visit: Visitor, target: Locator, text: string): Promise<void> {
  await tabTo(visit, target);
  await visit.page.keyboard.press('ControlOrMeta+a');
  await visit.page.keyboard.type(text);
}
