// GemWallet as its extension plays it (GemWallet/gemwallet-extension, packages/extension/src:
// chromeServices/content/index.ts, App.tsx, components/pages/Transaction/Transaction.tsx). Who pays
// is given.
import { type ExtensionMessage, openExtensionPage } from './extension-page.ts';

type GemMessage = ExtensionMessage & { readonly payload?: GemPayment };

export type GemPayment = {
  readonly amount: string;
  readonly destination: string;
  readonly destinationTag?: number;
};

type GemWallet = {
  /** `Mainnet`, `Testnet`, `Devnet` or `Custom`. */
  network: string;
  /** The hash, or undefined when its owner says no or closes the window. */
  pay: (payment: GemPayment) => string | undefined;
  /** Another question of it is open: this one is not answered. */
  isBusy: boolean;
};

export async function openGemWalletPage(url: string, gem: GemWallet) {
  const opened = await openExtensionPage<GemMessage>(url, {
    kind: 'GEM_WALLET',
    answer: (message) => answer(gem, message),
  });
  return { ...opened, gem };
}

function answer(gem: GemWallet, { type, payload }: GemMessage) {
  if (type === 'REQUEST_IS_INSTALLED/V3') return { isInstalled: true };
  if (gem.isBusy) return null;
  if (type === 'REQUEST_GET_NETWORK/V3') {
    const websocket = 'wss://s1.ripple.com';
    return { result: { chain: 'XRPL', network: gem.network, websocket }, error: undefined };
  }
  if (type === 'REQUEST_SEND_PAYMENT/V3' && payload !== undefined) {
    const hash = gem.pay(payload);
    return { result: hash === undefined ? null : { hash }, error: undefined };
  }
  return null;
}
