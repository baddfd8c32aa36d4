// A deposit address on Lightning is a Lightning address (LUD-16) and the LNURL of the web address
// behind it (LUD-01, LUD-06): a wallet asks that for an invoice each time it pays. Web address and
// identifier are stored with the address, so that what was printed stays the same for ever.

import type { Environment } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import type { InstructionKeys } from '#deposit/deposit-instruction.ts';
import type { Destination, Network } from '#deposit/network.ts';
import { type OpenAddressInvoiceApp, openAddressInvoice } from '#deposit/open-deposit.ts';
import { findSeller, sellerName } from '#merchant/seller.ts';
import { type DepositAddressRecord, findAnyDepositAddress } from './deposit-address.ts';

/** LUD-16 fixes it for whoever types the address. */
export const LIGHTNING_ADDRESS_PATH = '/.well-known/lnurlp/';

export function lightningAddress(publicUrl: string, id: string): Destination {
  const { origin, host } = new URL(publicUrl);
  return {
    destination: `${origin}${LIGHTNING_ADDRESS_PATH}${id}`,
    address: `${id}@${host}`,
    memo: undefined,
    memoType: undefined,
    destinationTag: undefined,
  };
}

/**
 * Why wallets could not ask under PUBLIC_URL; undefined when they can. LUD-16: https, or http where
 * the host is an onion service, at the root of the host. Test keys work anywhere.
 */
export function publicUrlFault(publicUrl: string, environment: Environment): string | undefined {
  const { protocol, hostname } = new URL(publicUrl);
  if (environment === 'test' || protocol === 'https:') return undefined;
  if (hostname.endsWith('.onion')) return undefined;
  return 'wallets ask Lightning addresses over https, or http on .onion; PUBLIC_URL is neither';
}

/**
 * What a wallet shows its user, as the text whose SHA-256 the invoice holds (LUD-06). The same for
 * both questions of a payment.
 */
export function lightningMetadata(address: string, shopName: string): string {
  return JSON.stringify([
    ['text/plain', `Payment to ${shopName}`],
    ['text/identifier', address],
  ]);
}

// What a wallet asks a Lightning address for: first what may be sent and to whom, then an invoice
// (LUD-06). Whoever knows the address may ask: nothing is told but the name of the shop, the
// address itself and what the node can receive.
export type FindLightningAddressApp = {
  readonly db: Reader;
  readonly keyring: InstructionKeys;
  readonly networks: ReadonlyMap<string, Network>;
};

export type LightningAddress = {
  readonly record: DepositAddressRecord;
  readonly network: Network;
  readonly metadata: string;
};

type PayRange = { readonly least: bigint; readonly most: bigint };

/** Above it an amount in millisatoshi is no exact JSON number; no channel holds as much. */
const UNITS_MOST = BigInt(Number.MAX_SAFE_INTEGER) / 1000n;

/** Undefined for an unknown id, and where the network gives no Lightning addresses (any more). */
export async function findLightningAddress(
  app: FindLightningAddressApp,
  id: string,
): Promise<LightningAddress | undefined> {
  const record = await findAnyDepositAddress(app, id);
  if (record === undefined) return undefined;
  const seller = await findSeller(app.db, record.merchantId);
  if (seller === undefined) return undefined;
  const { chain, address } = record.instruction;
  const network = app.networks.get(chain);
  if (network?.addressInvoices === undefined) return undefined;
  if (network.addressInvoices.fault !== undefined) return undefined;
  return { record, network, metadata: lightningMetadata(address, sellerName(seller)) };
}

/** In satoshi; `most` is below `least` when nothing can be received now. @throws Outage */
export async function payRange({ record, network }: LightningAddress): Promise<PayRange> {
  const most = (await network.receivableUnitsMost?.(record.assetId)) ?? UNITS_MOST;
  return { least: 1n, most: most < UNITS_MOST ? most : UNITS_MOST };
}

/** The invoice as text; `units` within the range. @throws Outage */
export async function openLightningInvoice(
  app: OpenAddressInvoiceApp,
  { record, network, metadata }: LightningAddress,
  units: bigint,
): Promise<string> {
  const asked = { units, hashedDescription: metadata };
  return (await openAddressInvoice(app, network, record.instruction, asked)).address;
}
