// A key, kept and open: what it shows to anybody, and what it says of a transaction before it
// signs. Each family decodes the transaction itself; what it was told of it is only compared.

import { z } from 'zod';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { ENVIRONMENTS, type Environment } from '#catalog/chain.ts';
import type { Bought, OrderedPayment, SignOrder } from './sign-order.ts';

export const SIGNER_KEY = z.object({
  name: z.string(),
  environment: z.enum(ENVIRONMENTS),
  network: z.string(),
  /** As the settings of the service name it: main, test, regtest, dev ... */
  chain: z.string(),
  /** Of an EVM chain of one's own. */
  chainId: z.string().optional(),
  /** Bitcoin and Litecoin: what the descriptor is. */
  script: z.enum(['wpkh', 'tr']).optional(),
  /** Bitcoin and Litecoin: `fingerprint/84h/0h/0h`, where it is known. */
  origin: z.string().optional(),
  /** Stellar and XRP Ledger: the account it signs for, where that is not the one of the key. */
  account: z.string().optional(),
  /** In the one spelling that the family of the network keeps (networks/signing). */
  secret: z.string(),
});
export type SignerKey = z.infer<typeof SIGNER_KEY>;

export type NewKey = {
  readonly name: string;
  readonly environment: Environment;
  readonly network: string;
  readonly chain: string;
  readonly chainId?: string | undefined;
  readonly script?: 'wpkh' | 'tr' | undefined;
  readonly origin?: string | undefined;
  readonly account?: string | undefined;
  /** Undefined: one is made. */
  readonly secret?: string | undefined;
};

/** The public half: texts that the settings of the service and of wallets take. */
export type ShownKey = Pick<SignerKey, 'name' | 'environment' | 'network' | 'chain'> & {
  /** Of the account, or the first one below an extended key. */
  readonly address: string;
  /** Descriptor or extended public key, where it has many addresses. */
  readonly descriptor?: string;
};

/** A transaction that does what the order says and nothing else. */
export type ReviewedOrder = {
  /** Most that the network can take for it. */
  readonly feeUnits: bigint;
  /** In one spelling, in the order of the payments; with memo or tag where there is one. */
  readonly receivers: readonly string[];
  /** Two transactions that have one of these in common can never both land. */
  readonly turns: readonly string[];
  /** Those that share it take one fee; absent: those that share any turn. */
  readonly feeTurn?: string;
  /** What the coins that are spent are said to be worth, by `txid:vout`. */
  readonly coins: ReadonlyMap<string, bigint>;
  /** Of what converts: as the transaction itself has it. */
  readonly buys?: Bought;
  /** Whether another order may have the same turn: where a transaction ends by itself it may. */
  readonly isTurnForOneOrder: boolean;
  /** Deterministic: the same bytes whenever it is called. */
  sign(): SignedBytes;
};

export type SignedBytes = {
  /** As the reader of the family takes it (`signed-transaction.ts`, `read-signed-psbt.ts`). */
  readonly signedTransaction: string;
  /** The id by which the network will know it. */
  readonly transaction: string;
};

/** A Safe whose owners sign, and the account that pays for carrying that out. */
export type ListedSafe = {
  readonly environment: Environment;
  readonly network: string;
  readonly address: string;
  readonly gasAccount: string;
  readonly owners: readonly string[];
  /** How many of them have to sign. */
  readonly threshold: number;
};

/** An account that does nothing but pay the gas of what payers have signed for us (EIP-3009). */
export type ListedRelay = {
  readonly environment: Environment;
  readonly network: string;
  readonly account: string;
  /** Extended public key of the addresses that may be paid so. */
  readonly receiversBelow: string;
};

/** Of the rules, what a transaction is held against. */
export type ListedAccounts = {
  readonly safes: readonly ListedSafe[];
  readonly relays: readonly ListedRelay[];
};

export type OpenKey = {
  readonly shown: ShownKey;
  /** Whether it is the key that the order names. */
  isFor(order: SignOrder): boolean;
  /** Whether what is paid arrives where this key can spend it. */
  owns(payment: OrderedPayment): boolean;
  /** An address of its chain as `receivers` has it; undefined for what is none. */
  spell(address: string): string | undefined;
  /** `listed`: by the rules. @throws Refusal with a sentence for each difference. */
  review(order: SignOrder, now: Temporal.Instant, listed: ListedAccounts): ReviewedOrder;
};

/** What the families of networks do for the signer (src/networks/signing). */
export type KeyFamilies = {
  openKey(key: SignerKey): OpenKey;
  /** @throws Refusal that says what is wrong with it, and does not repeat it. */
  keyToKeep(key: NewKey, random: Random): SignerKey;
};

/**
 * What is paid to an address of ours with a higher number is ours, and nobody would ever look for
 * it there: a hostile service could hold it to ransom.
 */
const OWN_INDEX_MOST = 1_000_000;

/** Whether somebody will find what arrives at the address of this number. */
export function isFoundAgain(index: bigint | number): boolean {
  return index >= 0 && index <= OWN_INDEX_MOST;
}

/** One receiver in one text: an exchange has one address for everybody, and memos tell who. */
export function receiverText(address: string, memo: string | undefined): string {
  return memo === undefined ? address : `${address} ${memo}`;
}

/** The transaction is not the order. */
export function differs(sentences: string | readonly string[]): Refusal {
  return new Refusal('conflict', 'order_differs', sentences);
}

/** What came is no unsigned transaction of the network. */
export function unreadable(sentence: string, cause?: unknown): Refusal {
  return new Refusal('invalid', 'transaction_unreadable', sentence, { cause });
}

/** @throws Refusal when the order does not say it. */
export function requireFact<Fact>(fact: Fact | undefined, name: string): Fact {
  if (fact !== undefined) return fact;
  throw new Refusal('invalid', 'order_incomplete', `facts.${name}: is required on this network`);
}

/** The one payment of a transaction that has one. @throws Refusal */
export function requireOnePayment({ payments, network }: SignOrder) {
  const [payment, ...more] = payments;
  if (payment !== undefined && more.length === 0) return { ...payment, network };
  throw differs(`a transaction on ${network} pays one receiver; ordered are ${payments.length}`);
}
