// What the log of the signer says, as JSON, and what each entry means for later decisions. Amounts
// are units as text.

import type { Environment } from '#catalog/chain.ts';
import type { LogFact, Spending } from './history.ts';
import type { ReviewedOrder, SignedBytes } from './open-key.ts';
import { type Purpose, type SignOrder, sha256Text } from './sign-order.ts';

type PurposeText = {
  readonly id: string;
  readonly environment: Environment;
  readonly network: string;
  readonly payments: readonly {
    readonly assetId: string;
    readonly units: string;
    readonly account: Readonly<Record<string, string>>;
  }[];
  /** Of what converts. */
  readonly buys?: { readonly assetId: string; readonly leastUnits: string };
  readonly before?: readonly string[];
  /** Ids of more orders in it: payment by payment, this order first. */
  readonly beside?: readonly string[];
};

type SpendingText = Omit<Spending, 'units' | 'receiver'> & {
  readonly units: string;
  readonly receiver?: string | undefined;
};

type SignedEntry = {
  readonly kind: 'signed';
  readonly order: PurposeText;
  readonly orderKind: SignOrder['kind'];
  readonly digest: string;
  /** Of what the orders beside it are for. */
  readonly besideDigests?: readonly string[];
  /** Name of the key. */
  readonly key: string;
  readonly unsigned: string;
  readonly signedTransaction: string;
  readonly transaction: string;
  readonly feeUnits: string;
  readonly turns: readonly string[];
  readonly coins: Readonly<Record<string, string>>;
  readonly spendings: readonly SpendingText[];
  /** The digest that a second person approved, where it was signed beside what came before. */
  readonly anew?: string;
};

export type SignerLogEntry =
  | { readonly kind: 'started'; readonly settings: string }
  | SignedEntry
  | {
      readonly kind: 'refused';
      readonly order: PurposeText;
      readonly code: string;
      readonly reasons: readonly string[];
    }
  | {
      readonly kind: 'asked';
      readonly order: PurposeText;
      readonly digest: string;
      readonly code: string;
    }
  | {
      readonly kind: 'approved';
      readonly digest: string;
      readonly code: string;
      readonly approver: string;
      readonly signature: string;
    };

export function purposeText({
  id,
  environment,
  network,
  payments,
  ...more
}: Purpose & Pick<SignOrder, 'beside'>): PurposeText {
  const { before, beside, buys } = more;
  return {
    ...(buys && { buys: { ...buys, leastUnits: `${buys.leastUnits}` } }),
    ...(before && { before }),
    ...(beside && { beside }),
    id,
    environment,
    network,
    payments: payments.map(({ assetId, units, account }) => {
      return { assetId, units: `${units}`, account };
    }),
  };
}

function purposeOfText({ payments, beside, buys, ...rest }: PurposeText): Purpose {
  return {
    ...rest,
    ...(buys && { buys: { ...buys, leastUnits: BigInt(buys.leastUnits) } }),
    payments: payments.map((one) => ({ ...one, units: BigInt(one.units) })),
  };
}

export function signedEntry(
  order: SignOrder,
  [digest = '', ...besideDigests]: readonly string[],
  key: string,
  { feeUnits, turns, coins }: ReviewedOrder,
  { signedTransaction, transaction }: SignedBytes,
  { spendings, anew }: { readonly spendings: readonly Spending[]; readonly anew?: string },
): SignedEntry {
  return {
    ...(anew !== undefined && { anew }),
    kind: 'signed',
    order: purposeText(order),
    orderKind: order.kind,
    digest,
    ...(besideDigests.length > 0 && { besideDigests }),
    key,
    unsigned: order.unsigned,
    signedTransaction,
    transaction,
    feeUnits: `${feeUnits}`,
    turns,
    coins: Object.fromEntries([...coins].map(([coin, units]) => [coin, `${units}`])),
    spendings: spendings.map((one) => ({ ...one, units: `${one.units}` })),
  };
}

export function factOf(entry: SignerLogEntry): LogFact {
  switch (entry.kind) {
    case 'signed':
      return signedFact(entry);
    case 'asked': {
      const { code, digest, order } = entry;
      return { fact: 'asked', pending: { code, digest, purpose: purposeOfText(order) } };
    }
    case 'approved':
      return { fact: 'approved', digest: entry.digest };
    case 'started':
    case 'refused':
      return { fact: 'other' };
  }
}

function signedFact({ order, digest, unsigned, turns, coins, spendings, ...entry }: SignedEntry) {
  const { feeUnits, transaction, anew, besideDigests = [] } = entry;
  const digests = [digest, ...besideDigests];
  return {
    fact: 'signed',
    orders: [order.id, ...(order.beside ?? [])].map((id, at) => {
      return { id, digest: digests[at] ?? '' };
    }),
    attempt: {
      unsignedHash: sha256Text(unsigned),
      turns,
      feeUnits: BigInt(feeUnits),
      transaction,
      anew,
    },
    coins: new Map(Object.entries(coins).map(([coin, units]) => [coin, BigInt(units)])),
    spendings: spendings.map(({ receiver, ...one }) => {
      return { ...one, units: BigInt(one.units), receiver };
    }),
  } satisfies LogFact;
}
