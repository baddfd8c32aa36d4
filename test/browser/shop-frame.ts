// The payment page in a frame of a shop on another site, as a shop that builds its own frame shows it.
import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import { loopbackShopCertificate, loopbackShopKey } from '#test/support/self-signed.ts';
import type { ServerProcess } from '#test/support/server-process.ts';
import { openBrowserPage } from './browser.ts';

/** Another site than the server, which is at 127.0.0.1; live payments are shown by https alone. */
const HOST = '127.81.84.1';

/** `prepare`: before the frame is loaded. The shop may show it: that is set here. */
export async function openShopFrame(
  server: ServerProcess,
  hostedCheckoutUrl: string,
  prepare: (context: BrowserContext) => Promise<unknown> = async () => undefined,
) {
  const url = hostedCheckoutUrl.replace(/^https?:\/\/[^/]+/, server.origin);
  const site = createServer(
    { key: loopbackShopKey, cert: loopbackShopCertificate },
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(`<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1>
<iframe src="${url}" title="Payment" width="420" height="900" allow="clipboard-write"></iframe></main>`);
    },
  );
  await new Promise<void>((resolve) => site.listen(0, HOST, resolve));
  const home = `https://${HOST}:${(site.address() as AddressInfo).port}`;
  const { exitCode, stderr } = await server.command(
    'merchant',
    'page',
    'set',
    '--embed-origins',
    home,
  );
  assert.equal(exitCode, 0, stderr);
  const opened = await openBrowserPage({ width: 900, height: 1000, ignoreHTTPSErrors: true });
  await prepare(opened.context);
  await opened.page.goto(home);
  const frame = await (await opened.page.waitForSelector('iframe')).contentFrame();
  assert(frame !== null);
  await frame.waitForSelector('html.framed #main[data-state="pay"]');
  const close = () => new Promise<void>((resolve) => site.close(() => resolve()));
  return { ...opened, frame, close };
}
