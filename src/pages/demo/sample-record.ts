// A checkout as `findCheckout` reads it, made by hand: for pages, which only look at it. None of
// these addresses was ever handed out by us.
import { getAsset, NATIVE_ISSUER, shownAsset } from '#catalog/asset.ts';
import { chainOf, type Environment } from '#catalog/chain.ts';
import { getNetwork, listNetworks } from '#catalog/network.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord, Commitment, Offer } from '#checkout/checkout.ts';
import type { CheckoutRefund } from '#checkout/checkout-refund.ts';
import type { Credit } from '#checkout/credit.ts';
import { amountToText } from '#money/asset-amount.ts';
import { parseDecimal, ZERO } from '#money/decimal.ts';

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
  'XRP_LEDGER XRP:NATIVE': 18_765_433n,
  'BASE USDC:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913': 45_123_457n,
  'BASE ETH:NATIVE': 12_345_678_901_234_567n,
  'ETHEREUM USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7': 45_123_457n,
};

/** In cents: the total of the sample. */
const OTHER_UNITS = 4_165n;

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
  XRP_LEDGER: { address: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', destinationTag: 4_821_907n },
  // The example of the IBAN registry.
  SEPA: { address: 'DE89370400440532013000', memo: 'RF54Q00004821907', memoType: 'reference' },
};

const PAYEE = { holder: 'Fern & Folio GmbH', bic: 'COBADEFFXXX' };

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
  const arrivingUnits = PAYMENT_UNITS[`${network} ${assetId}`] ?? OTHER_UNITS;
  return {
    network,
    assetId,
    askedUnits: arrivingUnits,
    arrivingUnits,
    settlementAssetId: assetId,
    settlementUnits: arrivingUnits,
    netUnits: arrivingUnits,
    feeUnits: 0n,
    rateIds: [],
    paymentToSettlement: { numerator: 1n, denominator: 1n },
  };
}

/** In the order of the catalogue, as where a shop wished for none. */
export const RECORD_OFFERS: readonly Offer[] = listNetworks().flatMap(({ id: network, assets }) =>
  assets
    .filter((assetId) => `${network} ${assetId}` in PAYMENT_UNITS)
    .map((assetId) => offerOf(network, assetId)),
);

export function commitmentOn(
  network: string,
  assetId: string,
  environment: Environment = 'test',
): Commitment {
  const offer = offerOf(network, assetId);
  const instruction = {
    id: `${network.toLowerCase().slice(0, 4).padEnd(4, 'x')}instr123`.slice(0, 12),
    chain: chainOf(environment, network),
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
    pastWindows: [],
    paymentUri: recordPaymentUri({ network, assetId, instruction }, offer.arrivingUnits),
    payee: getNetwork(network).type === 'BANK' ? PAYEE : undefined,
  };
}

/** In the form of networks/payment-uri.ts, which pages may not import. */
export function recordPaymentUri(
  { network, assetId, instruction }: Pick<Commitment, 'network' | 'assetId' | 'instruction'>,
  units: bigint,
): string {
  const { address, memo, destinationTag } = instruction;
  const { assetIssuer } = getAsset(assetId);
  const amount = amountToText(units, shownAsset(network, assetId).decimals);
  const { knownBy, evmChainId, uriScheme } = getNetwork(network);
  if (evmChainId !== undefined) {
    return assetIssuer === NATIVE_ISSUER
      ? `ethereum:${address}@${evmChainId}?value=${units}`
      : `ethereum:${assetIssuer}@${evmChainId}/transfer?address=${address}&uint256=${units}`;
  }
  switch (knownBy) {
    case 'address':
      return `${uriScheme}:${address}?amount=${amount}`;
    case 'invoice':
      return `lightning:${address}`;
    case 'memo':
      return `web+stellar:pay?destination=${address}&amount=${amount}&memo=${memo}&memo_type=MEMO_TEXT`;
    case 'tag':
      return `ripple:${address}?to=${address}&dt=${destinationTag}&amount=${amount}`;
    case 'reference': {
      const { bic, holder } = PAYEE;
      const lines = ['BCD', '002', '1', 'SCT', bic, holder, address, `EUR${amount}`, '', memo];
      return lines.join('\n');
    }
  }
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
    units: commitment.arrivingUnits,
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
    heldAt: undefined,
    finalAt: changes.status === 'FINAL' ? RECORD_NOW : undefined,
    goneAt: undefined,
    goneHeight: undefined,
    replacedBy: undefined,
    conflictHeight: undefined,
    creditedGeneration: undefined,
    reversedGeneration: undefined,
    unaskedSettlementAssetId: undefined,
    chainHeight: 100n,
    confirmations: 1n,
    confirmationsNeeded: 2,
    reversalDue: false,
    ...changes,
  };
}

/** On its way back to the payer. */
export function refundOf(commitment: Commitment, units: bigint): CheckoutRefund {
  return {
    id: 'refund123456',
    checkoutId: RECORD_ID,
    kind: 'excess',
    context: 'OVERPAID_TRANSACTION',
    state: 'UNDER_WAY',
    payment: 'STANDING',
    network: commitment.network,
    assetId: commitment.assetId,
    units,
    address: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
    transaction: undefined,
    failure: undefined,
    restsUntil: undefined,
    createdAt: RECORD_NOW,
    finishedAt: undefined,
  };
}

/** What became of the first receipt: it goes back to the payer. */
export function returnedCredit({ network, assetId }: Commitment, units: bigint): Credit {
  return {
    receiptId: 1n,
    generation: 1,
    network,
    assetId,
    units,
    lockedUnits: units,
    rateBasis: 'LOCKED',
    settlementAssetId: assetId,
    settlementUnits: units,
    netUnits: units,
    feeUnits: 0n,
    requiredNowUnits: undefined,
    evidence: '{}',
    refundId: undefined,
    account: 'refunded',
    creditedAt: RECORD_NOW,
    acceptedAt: undefined,
    releasedAt: undefined,
    reversedAt: undefined,
    paysDebt: false,
    owedAt: undefined,
    returnedAt: undefined,
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
    paymentLinkId: undefined,
    payload: JSON.stringify(payload),
    meta: undefined,
    asking: undefined,
    answers: undefined,
    answeredAt: undefined,
    termsAcceptedAt: undefined,
    tip: ZERO,
    billingCurrency: 'EUR',
    total: parseDecimal('41.65'),
    settlementAsset: 'ORIGIN',
    language: 'auto',
    webhookUrl: undefined,
    pageOrigin: undefined,
    returnUrl: 'https://shop.example/thanks?order=7#top',
    cancelUrl: 'https://shop.example/cart',
    offers: RECORD_OFFERS,
    withheld: [],
    feePartsPerMillion: 0,
    underpaidTolerancePartsPerMillion: 0,
    lateFloorPartsPerMillion: 900_000,
    lateDays: 36_500,
    state: last === undefined ? 'NEW' : 'AWAITING_PAYMENT',
    version: 1,
    eventSequence: 0,
    sourceNetwork: last?.network,
    sourceAssetId: last?.assetId,
    flags: {},
    createdAt,
    quotedUntil: createdAt.add({ minutes: 60 }),
    expiresAt: last?.expiresAt ?? createdAt.add({ hours: 24 }),
    completedAt: undefined,
    cancelledAt: undefined,
    acceptedUnderpaidAt: undefined,
    settleAt: undefined,
    commitments: [],
    receipts: [],
    anchorDeposits: [],
    credits: [],
    refunds: [],
    stateHistory: [],
    ...changes,
  };
}
