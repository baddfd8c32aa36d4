// The postings of what a person does with money in suspense. Debit positive, credit negative
// (docs/money.md). Pure; the cause key makes each act happen once (L7).

import type { Entry, EntryPosting } from '#ledger/ledger-entry.ts';
import type { Suspense } from './suspense.ts';
import type { SuspenseAct } from './suspense-store.ts';

/** A return by a transfer has the entries of the transfer. */
export function suspenseActEntry(suspense: Suspense, act: SuspenseAct): Entry {
  const { environment, assetId, network, units } = suspense;
  return {
    causeKey: `suspense:${suspense.id}:${act.number}`,
    kind: `suspense-${act.kind.toLowerCase().replace('_', '-')}`,
    environment,
    merchantId: act.kind === 'ASSIGN' ? act.merchantId : undefined,
    subjectId: `suspense:${suspense.id}`,
    evidence: JSON.stringify({ by: act.actor, reason: act.reason }),
    occurredAt: act.actedAt,
    postings: [
      { account: { code: `suspense:${network}` }, assetId, units },
      { account: accountOf(suspense, act), assetId, units: -units },
    ],
  };
}

function accountOf({ network }: Suspense, act: SuspenseAct): EntryPosting['account'] {
  switch (act.kind) {
    case 'ASSIGN':
      // As it came: what it is worth to the merchant is an entry of its checkout.
      if (act.isPayment === true) return { code: `custody:${network}` };
      return { merchantId: act.merchantId, code: 'merchant:available' };
    case 'RETURN':
      return { code: `custody:${network}` };
    case 'WRITE_OFF':
      return { code: 'dust' };
  }
}
