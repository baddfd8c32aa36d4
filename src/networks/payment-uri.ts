// What a wallet opens and what a QR code holds. Amounts are exact; every part is encoded, so that a
// memo or address can never become another parameter. Without units the payer chooses the amount.

import { bech32 } from '@scure/base';
import { amountToText } from '#money/asset-amount.ts';
import type { MemoType } from '#people/account-fields.ts';

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
  /** A text unless it is said; a hash is 64 hexadecimal digits. */
  readonly memoType?: MemoType | undefined;
  /** Undefined for the native lumen. */
  readonly asset: { readonly code: string; readonly issuer: string } | undefined;
  /** Passphrase of a network other than the public one. */
  readonly networkPassphrase: string | undefined;
};

/** SEP-7, operation `pay`. */
export function stellarUri(payment: StellarPayment): string {
  const { destination, units, decimals, memo, memoType = 'text', asset } = payment;
  const isHash = memoType === 'hash' || memoType === 'return';
  const parts: [string, string | undefined][] = [
    ['destination', destination],
    ['amount', units === undefined ? undefined : amountToText(units, decimals)],
    ['asset_code', asset?.code],
    ['asset_issuer', asset?.issuer],
    ['memo', isHash ? memo && Buffer.from(memo, 'hex').toString('base64') : memo],
    ['memo_type', memo === undefined ? undefined : `MEMO_${memoType.toUpperCase()}`],
    ['network_passphrase', payment.networkPassphrase],
  ];
  return `web+stellar:pay?${queryOf(parts)}`;
}

/**
 * SEP-7, operation `tx`: the wallet signs the envelope (XDR in base64) for the account, and sends
 * it.
 */
export function stellarTransactionUri(
  envelope: string,
  account: string,
  networkPassphrase: string | undefined,
): string {
  const parts: [string, string | undefined][] = [
    ['xdr', envelope],
    ['pubkey', account],
    ['network_passphrase', networkPassphrase],
  ];
  return `web+stellar:tx?${queryOf(parts)}`;
}

function queryOf(parts: readonly (readonly [name: string, value: string | undefined])[]): string {
  return parts
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&');
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

/** LUD-01: a web address in bech32. Lower case; a QR code may hold it in capitals. */
export function encodeLnurl(url: string): string {
  return bech32.encode('lnurl', bech32.toWords(new TextEncoder().encode(url)), false);
}
