// Somebody who walks through the rooms as a person does: whatever he presses or fills in he finds by
// what it is called, and after each step he reads what he is told. Nothing may fail behind his back:
// no request, no script, no policy.
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { byLength } from '#test/support/run-length.ts';
import { waitUntil } from '#test/support/shop.ts';
import { addAuthenticator } from './authenticator.ts';
import { openBrowserPage } from './browser.ts';
import { follow } from './follow.ts';

export type Variant = {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly javaScriptEnabled: boolean;
};

const EVERY: readonly Variant[] = [true, false].flatMap((javaScriptEnabled) =>
  (
    [
      ['phone', 390, 844],
      ['desktop', 1440, 900],
    ] as const
  ).map(([device, width, height]) => {
    const name = `on a ${device}, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`;
    return { name, width, height, javaScriptEnabled };
  }),
);

/** A short run walks on a phone with JavaScript alone. */
export const VARIANTS = EVERY.slice(0, byLength({ short: 1, long: EVERY.length }));

export const PASSWORD = 'four horses eat blue grass';
/** BIP-173's key on the test network of Litecoin. */
export const RECEIVER = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';

export type Walker = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly variant: Variant;
  /** Opens an address that he was given. */
  open(url: string): Promise<void>;
  /** Presses a button, and waits for the page that answers. */
  press(name: string | RegExp): Promise<void>;
  /** Follows a link. */
  go(name: string | RegExp): Promise<void>;
  fill(label: string, value: string): Promise<void>;
  choose(label: string, option: string): Promise<void>;
  tick(label: string | RegExp): Promise<void>;
  /** Reads the heading of the page. */
  isIn(title: string): Promise<void>;
  /** Reads it somewhere on the page. */
  isTold(text: string | RegExp): Promise<void>;
  /** Loads the page again until he reads it, as somebody does who waits. */
  waitsFor(text: string, meanwhile?: () => Promise<void>): Promise<void>;
  /** Presses a button of the thing in a list that says this. */
  pressIn(thing: string, name: string): Promise<void>;
  /** Opens a link that has a tab of its own. */
  openTab(name: string): Promise<Page>;
  /** Goes away; nothing was amiss on the way. */
  leave(): Promise<void>;
};

/** On a phone the rooms are folded away. */
export async function openRooms(page: Page, link: string): Promise<void> {
  await page.waitForLoadState('domcontentloaded');
  if (await page.locator(link).first().isVisible()) return;
  const fold = page.locator('.fold > summary');
  if (await fold.isVisible()) await fold.click();
}

/** With an authenticator in his device, where a browser with a script asks for one. */
export async function openWalker(variant: Variant): Promise<Walker> {
  const { page, context, faults } = await openBrowserPage(variant);
  hearFaults(context, faults);
  if (variant.javaScriptEnabled) await addAuthenticator(page);
  const role = (kind: string, name: string | RegExp) =>
    `role=${kind}[name=${name instanceof RegExp ? name : JSON.stringify(name)}]`;
  return {
    page,
    context,
    variant,
    open: async (url) => void (await page.goto(url)),
    press: (name) => follow(page, role('button', name)),
    go: async (name) => {
      const link = `${role('link', name)} >> nth=0`;
      await openRooms(page, link);
      return follow(page, link);
    },
    fill: (label, value) => page.getByLabel(label, { exact: true }).fill(value),
    choose: async (label, option) =>
      void (await page.getByLabel(label, { exact: true }).selectOption({ label: option })),
    tick: (label) => page.getByLabel(label, { exact: true }).check(),
    isIn: (title) => page.locator(`h1:text-is(${JSON.stringify(title)})`).waitFor(),
    isTold: (text) => page.locator('body').getByText(text).first().waitFor(),
    waitsFor: (text, meanwhile) =>
      waitUntil(`to read “${text}”`, async () => {
        await meanwhile?.();
        await page.reload();
        return page.getByText(text).first().isVisible();
      }),
    pressIn: (thing, name) =>
      follow(page, `.rows > li:has-text(${JSON.stringify(thing)}) >> ${role('button', name)}`),
    async openTab(name) {
      const opened = context.waitForEvent('page');
      await page.locator(role('link', name)).click();
      const tab = await opened;
      await tab.waitForLoadState('load');
      return tab;
    },
    async leave() {
      assert.deepEqual(faults, []);
      await context.close();
    },
  };
}

/** In every tab. What a browser gives up itself when somebody goes on is no fault. */
function hearFaults(context: BrowserContext, faults: string[]): void {
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    if (why !== 'net::ERR_ABORTED') faults.push(`${why} ${request.url()}`);
  });
  // Those of the first tab are heard already, and of another one nobody else hears.
  context.on('page', (tab) => {
    tab.on('pageerror', (error) => faults.push(error.message));
    tab.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
  });
}

/** With a passkey where there is a script, else with a password; ends where he is at home. */
export async function acceptInvitation(
  walker: Walker,
  [link, title]: readonly [link: string, title: string] = ['Today', 'Today'],
): Promise<void> {
  const { page, variant } = walker;
  await walker.isIn('Welcome');
  if (!variant.javaScriptEnabled) {
    await walker.fill('Password', PASSWORD);
    await walker.press('Accept the invitation');
  } else {
    assert.equal(await page.getByLabel('With a passkey').isChecked(), true);
    await walker.press('Accept the invitation');
    await walker.isTold('You have no way in yet.');
    await walker.fill('Name, for example "Phone"', 'Phone');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await walker.isTold('Saved.');
    await walker.isTold('Phone');
    await walker.go(link);
  }
  await walker.isIn(title);
}
