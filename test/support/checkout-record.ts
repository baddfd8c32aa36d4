// A checkout as `findCheckout` reads it, made by hand: for pages and views, which only look at it.

import { chainOf } from '#catalog/chain.ts';
import type { CheckoutRecord, Commitment, Offer } from '#checkout/checkout.ts';
import type { Receipt } from '#deposit/receipt.ts';
import { parseDecimal } from '#money/decimal.ts';

export const RECORD_NOW = Temporal.Instant.from('2026-03-01T12:20:00Z');
const createdAt = Temporal.Instant.from('2026-03-01T11:55:00Z');
const committedAt = Temporal.Instant.from('2026-03-01T12:00:00Z');
const RECORD_ID = 'abcdefghij12';

/** Amounts are those of a 41.65 EUR charge. */
const PAYMENT_UNITS: Readonly<Record<string, bigint>> = {
  'BITCOIN BTC:NATIVE': 48_312n,
  'LIGHTNING BTC:NATIVE': 48_312n,
  'LITECOIN LTC:NATIVE': 44_120_000n,
  'ETHEREUM ETH:NATIVE': 12_345_678_901_234_567n,
  'ETHEREUM USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48': 45_123_457n,
  'STELLAR XLM:NATIVE': 3_987_654_321n,
  'STELLAR USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN': 451_234_568n,
};

const DESTINATIONS: Readonly<Record<string, Partial<Commitment['instruction']>>> = {
  BITCOIN: { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' },
  LITECOIN: { address: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0' },
  LIGHTNING: { address: `lntb483120n1p${'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.repeat(8)}` },
  ETHEREUM: { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  STELLAR: {
    address: 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    memo: '4821907715',
    memoType: 'text',
  },
};

const payload = {
  charge: {
    billingCurrency: 'EUR',
    lineItems: [
      { description: 'Dot grid notebook', netAmount: '14.50', quantity: '2' },
      { description: 'Moss ink', netAmount: '9.80' },
    ],
    discountItems: [{ description: 'Welcome', netAmount: '3.80' }],
    taxItems: [{ name: 'VAT', percent: '0.19' }],
  },
  settlementAsset: 'ORIGIN',
  pageSettings: { shopName: 'Fern & Folio', displaySellerInfo: true },
};

export function offerOf(network: string, assetId: string): Offer {
  const paymentUnits = PAYMENT_UNITS[`${network} ${assetId}`] ?? 1_000_000n;
  return {
    network,
    assetId,
    paymentUnits,
    settlementAssetId: assetId,
    settlementUnits: paymentUnits,
    netUnits: paymentUnits,
    feeUnits: 0n,
    rateIds: [],
    paymentToSettlement: { numerator: 1n, denominator: 1n },
  };
}

export const RECORD_OFFERS: readonly Offer[] = Object.keys(PAYMENT_UNITS).map((method) => {
  const [network = '', assetId = ''] = method.split(' ');
  return offerOf(network, assetId);
});

export function commitmentOn(network: string, assetId: string): Commitment {
  const offer = offerOf(network, assetId);
  const instruction = {
    id: `${network.toLowerCase().slice(0, 4).padEnd(4, 'x')}instr123`.slice(0, 12),
    chain: chainOf('test', network),
    merchantId: 'merchant1234',
    purpose: 'checkout' as const,
    purposeId: RECORD_ID,
    assetId,
    destination: 'somewhere',
    address: 'somewhere',
    memo: undefined,
    memoType: undefined,
    destinationTag: undefined,
    sourceId: 1n,
    sourceIndex: 1n,
    integrityMac: new Uint8Array(32),
    createdAt: committedAt,
    ...DESTINATIONS[network],
  };
  return {
    ...offer,
    checkoutId: RECORD_ID,
    instruction,
    committedAt,
    expiresAt: committedAt.add({ minutes: 60 }),
    paymentUri: recordPaymentUri({ network, instruction }, offer.paymentUnits),
  };
}

export function recordPaymentUri(
  { network, instruction }: Pick<Commitment, 'network' | 'instruction'>,
  units: bigint,
): string {
  const scheme =
    { STELLAR: 'web+stellar:pay?destination=' }[network] ?? `${network.toLowerCase()}:`;
  return `${scheme}${instruction.address}${scheme.includes('?') ? '&' : '?'}amount=${units}`;
}

export function receiptFor(commitment: Commitment, changes: Partial<Receipt> = {}): Receipt {
  return {
    id: 1n,
    chain: commitment.instruction.chain,
    creditKey: 'transaction:0',
    instructionId: commitment.instruction.id,
    merchantId: 'merchant1234',
    purpose: 'checkout',
    purposeId: RECORD_ID,
    assetId: commitment.assetId,
    units: commitment.paymentUnits,
    transaction: '6f1c0a2ad49ad2a1c2f0f4e9b5b13dc4f9ab0d35b1fa3a0cb3a1f2f0b0e0b1c2',
    destination: commitment.instruction.destination,
    spends: [],
    status: 'INCLUDED',
    generation: 1,
    seenAt: RECORD_NOW,
    blockHeight: 100n,
    blockHash: 'hash',
    minedAt: RECORD_NOW,
    confirmationsRequired: 2,
    finalAt: undefined,
    goneAt: undefined,
    goneHeight: undefined,
    replacedBy: undefined,
    conflictHeight: undefined,
    creditedGeneration: undefined,
    reversedGeneration: undefined,
    chainHeight: 100n,
    confirmations: 1n,
    reversalDue: false,
    ...changes,
  };
}

export function checkoutRecord(changes: Partial<CheckoutRecord> = {}): CheckoutRecord {
  const last = changes.commitments?.at(-1);
  return {
    id: RECORD_ID,
    merchantId: 'merchant1234',
    environment: 'test',
    apiKey: undefined,
    type: 'HOSTED',
    origin: 'API',
    customerId: undefined,
    payload: JSON.stringify(payload),
    meta: undefined,
    billingCurrency: 'EUR',
    total: parseDecimal('41.65'),
    settlementAsset: 'ORIGIN',
    language: 'auto',
    webhookUrl: undefined,
    returnUrl: 'https://shop.example/thanks?order=7#top',
    cancelUrl: 'https://shop.example/cart',
    offers: RECORD_OFFERS,
    withheld: [],
    feePartsPerMillion: 0,
    underpaidTolerancePartsPerMillion: 0,
    state: last === undefined ? 'NEW' : 'AWAITING_PAYMENT',
    version: 1,
    eventSequence: 0,
    sourceNetwork: last?.network,
    sourceAssetId: last?.assetId,
    flags: {},
    createdAt,
    expiresAt: last?.expiresAt ?? createdAt.add({ hours: 24 }),
    completedAt: undefined,
    cancelledAt: undefined,
    acceptedUnderpaidAt: undefined,
    settleAt: undefined,
    commitments: [],
    receipts: [],
    credits: [],
    refunds: [],
    stateHistory: [],
    ...changes,
  };
}
