// What is kept of a draft on Stellar until it comes back signed: all that the transaction was made
// of, but for whom a transfer pays, which the transfer says.
import { timestamp } from '#base/instant.ts';
import { readDraftTerms, writeDraftTerms } from '#networks/draft-terms.ts';
import type { OutgoingPayment } from '#networks/outgoing-payment.ts';
import type { StellarDelivery } from './decide-delivery.ts';
import type { StellarOrder } from './unsigned-transaction.ts';

const TERMS = ['by', 'sequence', 'feeUnits', 'expiresAt'] as const;
const EXCHANGE_TERMS = ['assetId', 'leastUnits', 'path'] as const;
/** Of what goes to ourselves: no transfer says it. */
const OWN_TERMS = ['ownAssetId', 'ownUnits'] as const;

type StellarTerms = Pick<StellarOrder, 'delivery' | 'sequence' | 'feeUnits' | 'expiresAt'>;

export function writeStellarTerms({
  payment: { assetId, units },
  delivery,
  sequence,
  feeUnits,
  expiresAt,
}: Omit<StellarOrder, 'chain' | 'source'>): string {
  const isOwn = delivery.by === 'exchange' || delivery.by === 'fetch';
  return writeDraftTerms({
    ...deliveryTerms(delivery),
    ...(isOwn ? { ownAssetId: assetId, ownUnits: units } : {}),
    ...{ sequence, feeUnits, expiresAt: timestamp(expiresAt) },
  });
}

function deliveryTerms(delivery: StellarDelivery): Readonly<Record<string, string | bigint>> {
  switch (delivery.by) {
    case 'exchange': {
      const { by, assetId, leastUnits, path } = delivery;
      return { by, assetId, leastUnits, path: path.join(' ') };
    }
    case 'claimable-balance':
      return { by: delivery.by, reclaimableAt: timestamp(delivery.reclaimableAt) };
    case 'fetch':
      return { by: delivery.by, balanceId: delivery.balanceId };
    default:
      return { by: delivery.by };
  }
}

/** Of what was drafted here. */
export function readStellarTerms(text: string): StellarTerms {
  const { by, sequence, feeUnits, expiresAt } = readDraftTerms(text, TERMS);
  return {
    delivery: readDelivery(text, by),
    sequence: BigInt(sequence),
    feeUnits: BigInt(feeUnits),
    expiresAt: Temporal.Instant.from(expiresAt),
  };
}

function readDelivery(text: string, by: string): StellarDelivery {
  switch (by) {
    case 'exchange': {
      const { assetId, leastUnits, path } = readDraftTerms(text, EXCHANGE_TERMS);
      const assets = path === '' ? [] : path.split(' ');
      return { by, assetId, leastUnits: BigInt(leastUnits), path: assets };
    }
    case 'claimable-balance': {
      const { reclaimableAt } = readDraftTerms(text, ['reclaimableAt']);
      return { by, reclaimableAt: Temporal.Instant.from(reclaimableAt) };
    }
    case 'fetch':
      return { by, ...readDraftTerms(text, ['balanceId']) };
    default:
      return { by: by === 'create-account' ? by : 'payment' };
  }
}

/** What moves from our account to our account, for no transfer. */
export function ownPayment(text: string, account: string): OutgoingPayment {
  const { ownAssetId, ownUnits } = readDraftTerms(text, OWN_TERMS);
  const units = BigInt(ownUnits);
  return { network: 'STELLAR', account: { account }, assetId: ownAssetId, units };
}
