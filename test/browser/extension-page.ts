// The page of a checkout in a real Chromium with an extension that is a wallet: what its content
// script hears and answers. Extensions hear some time after the page is loaded.
import { openBrowserPage } from './browser.ts';
import { hearWalletStatus } from './wallet-status.ts';

export type ExtensionMessage = {
  readonly source: string;
  readonly messageId: number;
  readonly type: string;
};

export type Extension<Message extends ExtensionMessage> = {
  /** The word before `_MSG_REQUEST` in what it hears. */
  readonly kind: string;
  /** Null: it does not answer. */
  answer(message: Message): object | null;
};

const CONTENT_SCRIPT = `(kind) => addEventListener('load', () => setTimeout(() => {
  addEventListener('message', async ({ origin, source, data }) => {
    if (origin !== window.origin || source !== window) return;
    if (data.source !== kind + '_MSG_REQUEST') return;
    const answer = await window.askExtension(data);
    if (answer === null) return;
    const { messageId: messagedId } = data;
    postMessage({ source: kind + '_MSG_RESPONSE', messagedId, ...answer }, location.origin);
  });
}, 200))`;

/** The page waits so long for a wallet that does not answer: less where the test says so. */
const SHORT_WAIT = `const wait = setTimeout;
window.setTimeout = (act, ms) => wait(act, window.isHurried && ms === 15000 ? 50 : ms);`;

export async function openExtensionPage<Message extends ExtensionMessage>(
  url: string,
  { kind, answer }: Extension<Message>,
) {
  const opened = await openBrowserPage({ width: 1280, height: 800 });
  const asked: Message[] = [];
  await opened.context.exposeFunction('askExtension', (message: Message) => {
    asked.push(message);
    return answer(message);
  });
  await opened.context.addInitScript({ content: `(${CONTENT_SCRIPT})('${kind}')` });
  await opened.context.addInitScript({ content: SHORT_WAIT });
  const says = await hearWalletStatus(opened.page);
  await opened.page.goto(url);
  await opened.page.waitForSelector('#wallets:not([hidden]) button');
  return { ...opened, asked, says };
}
