// Where wallets of the browser get their buttons (assets/wallets.js). The place is empty and hidden
// until the script of the page has found one. It carries the payment link that stands on the page
// too, so that a wallet is asked for exactly what a code or a copied text would have asked for.

import { getAsset, NATIVE_ISSUER, shownAsset } from '#catalog/asset.ts';
import { getNetwork, type NetworkFamily } from '#catalog/network.ts';
import type { Commitment } from '#checkout/checkout.ts';
import { type Html, html, visibleText } from '#pages/html.ts';
import { WALLETCONNECT_SCRIPT, WALLETS_SCRIPTS } from '#pages/page-assets.ts';
import { type CheckoutPage, checkoutPath, samePath } from './checkout-page.ts';
import type { Due } from './decide-page.ts';
import { walletApps } from './wallet-apps.ts';

type WalletKind = {
  readonly script: { readonly path: string };
  /** Whether an extension is there that says nothing by itself, as its own library asks. */
  readonly question?: Readonly<Record<string, unknown>>;
  /** It signs what our node puts together. */
  readonly isDrafted?: boolean;
};

const FREIGHTER = 'FREIGHTER_EXTERNAL_MSG_REQUEST';

const WALLETS: Readonly<Partial<Record<NetworkFamily, WalletKind>>> = {
  evm: { script: WALLETS_SCRIPTS.evm },
  lightning: { script: WALLETS_SCRIPTS.evm },
  stellar: {
    script: WALLETS_SCRIPTS.stellar,
    question: { source: FREIGHTER, messageId: 1, type: 'REQUEST_CONNECTION_STATUS' },
    isDrafted: true,
  },
  xrpl: {
    script: WALLETS_SCRIPTS.xrpl,
    question: {
      source: 'GEM_WALLET_MSG_REQUEST',
      messageId: 1,
      app: 'gem-wallet',
      type: 'REQUEST_IS_INSTALLED/V3',
    },
  },
};

/** Undefined where no wallet of a browser could pay. No wallet has the money of tests. */
export function walletPanel(page: CheckoutPage, due: Due): Html | undefined {
  const { commitment, paymentUri } = due;
  const network = getNetwork(commitment.network);
  const kind = WALLETS[network.family];
  if (kind === undefined || paymentUri === '' || page.record.environment === 'test') {
    return undefined;
  }
  const draftsPayments = page.draftsPayments?.(commitment.network) ?? false;
  if (kind.isDrafted && !draftsPayments) return undefined;
  const { assetCode, decimals } = shownAsset(commitment.network, commitment.assetId);
  const connect = network.family === 'evm' ? page.walletConnect : undefined;
  const facts = {
    link: paymentUri,
    network: network.name,
    code: assetCode,
    decimals,
    chain: chainToAdd(commitment),
    draftPath: draftsPayments ? samePath(page, '/wallet') : undefined,
    chainIdentity: page.chainIdentityOf?.(commitment.network),
    connect: connect && {
      projectId: connect.projectId,
      relay: connect.relayUrl,
      name: visibleText(page.summary.shopName),
    },
    texts: walletTexts(page),
  };
  return html`<div class="wallets" id="wallets" data-script="${kind.script.path}"
 data-facts="${JSON.stringify(facts)}"${
   kind.question && html` data-ask="${JSON.stringify(kind.question)}"`
 } data-kept hidden></div>
${connect && connectButton(page)}
${ownWindow(page)}`;
}

/** Shown by the script, which loads what it needs when it is clicked. */
function connectButton({ language: { texts } }: CheckoutPage): Html {
  const path = WALLETCONNECT_SCRIPT?.path;
  return html`<button type="button" class="button" id="connect" data-script="${path}" hidden>${texts.paying.wallets.with(
    'WalletConnect',
  )}</button>`;
}

/** In a frame of a shop, where some wallets do not look: the style sheet hides it elsewhere. */
function ownWindow(page: CheckoutPage): Html {
  const { network, asset, qr } = page.query;
  return html`<p class="own-window"><a class="quiet" id="own-window" target="_blank" rel="noopener"
 href="${checkoutPath(page, '', { network, asset, qr })}">${page.language.texts.paying.wallets.ownWindow}</a></p>`;
}

/** The script puts in the parts that only it knows, by name. */
function walletTexts({ language: { texts } }: CheckoutPage) {
  const { wallets } = texts.paying;
  return {
    with: wallets.with('{wallet}'),
    browser: wallets.browser,
    asking: wallets.asking('{wallet}'),
    switching: wallets.switching('{network}'),
    missing: wallets.missing('{network}'),
    otherNetwork: wallets.otherNetwork('{network}'),
    silent: wallets.silent,
    poor: wallets.poor('{account}', '{held}', '{needed}'),
    refused: wallets.refused,
    waiting: wallets.waiting,
    failed: wallets.failed,
    sent: wallets.sent,
    again: wallets.again('{wallet}'),
    over: texts.pay.windowOver,
    connect: {
      scan: wallets.scan,
      open: texts.pay.wallet,
      app: wallets.app('{app}'),
      ended: wallets.ended,
      away: wallets.away,
      copy: texts.page.copy,
      copied: texts.page.copied,
      close: texts.paying.pay.close,
    },
  };
}

/**
 * EIP-3085, for a wallet that does not know the chain. Every wallet knows Ethereum. Undefined: we
 * know no public node of it.
 */
function chainToAdd({ network }: Pick<Commitment, 'network'>) {
  const { publicRpcUrl, name, assets } = getNetwork(network);
  if (publicRpcUrl === undefined) return undefined;
  const coin = assets.map(getAsset).find(({ assetIssuer }) => assetIssuer === NATIVE_ISSUER);
  if (coin === undefined) return undefined;
  const { assetCode, name: coinName, decimals } = coin;
  return {
    chainName: name,
    nativeCurrency: { name: coinName, symbol: assetCode, decimals },
    rpcUrls: [publicRpcUrl],
  };
}

/** For a telephone: the style sheet hides it where there is a mouse. */
export function walletAppLinks(page: CheckoutPage, due: Due): Html | undefined {
  const apps = page.record.environment === 'test' ? [] : walletApps(due);
  if (apps.length === 0) return undefined;
  const { app } = page.language.texts.paying.wallets;
  return html`<p class="wallet-apps">${apps.map(
    ({ name, url }) => html`<a class="quiet" href="${url}" rel="noreferrer">${app(name)}</a>`,
  )}</p>`;
}
