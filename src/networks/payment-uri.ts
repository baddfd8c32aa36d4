// What a wallet opens and what a QR code holds. Amounts are exact; every part is encoded, so that a
// memo or address can never become another parameter. Without units the payer chooses the amount.

import { amountToText } from '#money/asset-amount.ts';
import { encodeLnurl } from './lnurl.ts';

/** BIP-321: `bitcoin:<address>?amount=<coins>`, and Litecoin's the same. */
export function coinUri(
  scheme: string,
  address: string,
  units: bigint | undefined,
  decimals: number,
): string {
  const amount = units === undefined ? '' : `?amount=${amountToText(units, decimals)}`;
  return `${scheme}:${address}${amount}`;
}

/** EIP-681: a transfer of the native coin, value in wei. */
export function etherUri(address: string, chainId: bigint, units: bigint | undefined): string {
  const value = units === undefined ? '' : `?value=${units}`;
  return `ethereum:${address}@${chainId}${value}`;
}

/** EIP-681: the ERC-20 function `transfer`, called on the contract. */
export function tokenUri(
  contract: string,
  chainId: bigint,
  address: string,
  units: bigint | undefined,
): string {
  const value = units === undefined ? '' : `&uint256=${units}`;
  return `ethereum:${contract}@${chainId}/transfer?address=${address}${value}`;
}

type StellarPayment = {
  readonly destination: string;
  readonly units: bigint | undefined;
  readonly decimals: number;
  readonly memo: string | undefined;
  /** Undefined for the native lumen. */
  readonly asset: { readonly code: string; readonly issuer: string } | undefined;
  /** Passphrase of a network other than the public one. */
  readonly networkPassphrase: string | undefined;
};

/** SEP-7, operation `pay`, with a text memo. */
export function stellarUri(payment: StellarPayment): string {
  const { destination, units, decimals, memo, asset, networkPassphrase } = payment;
  const parts: [string, string | undefined][] = [
    ['destination', destination],
    ['amount', units === undefined ? undefined : amountToText(units, decimals)],
    ['asset_code', asset?.code],
    ['asset_issuer', asset?.issuer],
    ['memo', memo],
    ['memo_type', memo === undefined ? undefined : 'MEMO_TEXT'],
    ['network_passphrase', networkPassphrase],
  ];
  const query = parts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`);
  return `web+stellar:pay?${query.join('&')}`;
}

/**
 * XLS-2: any address with the parameters `to`, `dt` (destination tag) and `amount` in XRP; behind
 * the scheme that wallets know, with the account where they look for it.
 */
export function xrplUri(
  account: string,
  destinationTag: bigint | undefined,
  units: bigint | undefined,
  decimals: number,
): string {
  const amount = units === undefined ? '' : `&amount=${amountToText(units, decimals)}`;
  const tag = destinationTag === undefined ? '' : `&dt=${destinationTag}`;
  return `ripple:${account}?to=${account}${tag}${amount}`;
}

/** An invoice says everything (BOLT 11); a Lightning address is opened by its LNURL (LUD-01). */
export function lightningUri(paid: {
  readonly destination: string;
  readonly address: string;
}): string {
  const isAddress = paid.address.includes('@');
  return `lightning:${isAddress ? encodeLnurl(paid.destination) : paid.address}`;
}
