// Links that open an app of a telephone with the payment filled in, where the maker of the app says
// how (docs.metamask.io "Use deeplinks", developer.trustwallet.com "Deep Linking", docs.xaman.dev
// "Payment Request Link", docs.cdp.coinbase.com "createProlinkUrl"; Phoenix in its source:
// `Parser.kt`, `SceneDelegate.swift`). They say what the payment link says. Whoever clicks tells
// the maker of the app where the payment goes, as he does with every payment that he makes there;
// the page itself tells nobody anything. An app that would have to open this page is left out: the
// address of the page is a secret of the payer.

import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { Due } from './decide-page.ts';
import { prolink } from './prolink.ts';

export type WalletApp = { readonly name: string; readonly url: string };

/** Of the universal asset ids of Trust Wallet: numbers of SLIP-44. */
const TRUST_COINS: Readonly<Record<string, number>> = {
  BITCOIN: 0,
  LITECOIN: 2,
  ETHEREUM: 60,
  XRP_LEDGER: 144,
  STELLAR: 148,
};

export function walletApps(due: Due): WalletApp[] {
  const { network } = due.commitment;
  if (due.paymentUri === '') return [];
  if (network === 'XRP_LEDGER') return [xaman(due), ...trust(due)];
  return [...metaMask(due), ...coinbase(due), ...phoenix(due), ...trust(due)];
}

/** On its maker's own chain, of which the documents of the link speak. */
function coinbase({ commitment, paymentUri }: Due): WalletApp[] {
  const payload = commitment.network === 'BASE' ? prolink(paymentUri) : undefined;
  if (payload === undefined) return [];
  const url = `https://wallet.coinbase.com/base-pay?p=${payload}`;
  return [{ name: 'Coinbase Wallet', url }];
}

/** Its own scheme before that of Lightning: other wallets of the telephone leave it alone. */
function phoenix({ paymentUri }: Due): WalletApp[] {
  if (!/^lightning:/i.test(paymentUri)) return [];
  return [{ name: 'Phoenix', url: `phoenix:${paymentUri}` }];
}

/** What follows the scheme of EIP-681 is the path of the link. */
function metaMask({ paymentUri }: Due): WalletApp[] {
  const scheme = 'ethereum:';
  if (!paymentUri.startsWith(scheme)) return [];
  const url = `https://link.metamask.io/send/${paymentUri.slice(scheme.length)}`;
  return [{ name: 'MetaMask', url }];
}

/** Only where a memo or tag is not lost: the link has one field for both. */
function trust({ commitment, units }: Due): WalletApp[] {
  const coin = TRUST_COINS[commitment.network];
  const { assetIssuer, decimals } = getAsset(commitment.assetId);
  const isCoin = assetIssuer === NATIVE_ISSUER;
  if (coin === undefined || (!isCoin && commitment.network !== 'ETHEREUM')) return [];
  const { address, memo, destinationTag } = commitment.instruction;
  const mark = destinationTag === undefined ? memo : String(destinationTag);
  const url = new URL('https://link.trustwallet.com/send');
  url.searchParams.set('asset', isCoin ? `c${coin}` : `c${coin}_t${assetIssuer}`);
  url.searchParams.set('address', address);
  url.searchParams.set('amount', amountToText(units, decimals));
  if (mark !== undefined) url.searchParams.set('memo', mark);
  return [{ name: 'Trust Wallet', url: url.href }];
}

function xaman({ commitment, units }: Due): WalletApp {
  const { address, destinationTag } = commitment.instruction;
  const url = new URL(`https://xaman.app/detect/request:${address}`);
  url.searchParams.set('amount', amountToText(units, getAsset(commitment.assetId).decimals));
  if (destinationTag !== undefined) url.searchParams.set('dt', String(destinationTag));
  url.searchParams.set('network', 'XRPL');
  return { name: 'Xaman', url: url.href };
}
