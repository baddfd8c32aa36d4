// What the operator's wallet and the signer have signed in a story, and whom each was for.
import type { Random } from '#base/random.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import type { Exchange } from './dex.ts';
import type { OwnTransaction } from './own-transaction.ts';

/** Who sends on a chain in a story: a program as in the sandbox, a person, or the signer. */
export type Sending = 'program' | 'hand' | 'signer';

export type Wallet = {
  /** Coins of earlier stories are none of its own: a story alone is the same as among others. */
  readonly since: Temporal.Instant;
  readonly random: Random;
  /** Of the market: what it takes depends on what earlier stories left open. */
  readonly marketRandom: Random;
  readonly senders: ReadonlyMap<ChainId, Sending>;
  /** By hash: handed to a node at least once. */
  readonly sent: Map<string, OwnTransaction>;
  /** By hash: whose orders it carries out. */
  readonly orders: Map<string, readonly string[]>;
  /** Drafted, and signed long after, when everybody has forgotten it. */
  readonly drawer: { readonly ids: readonly string[]; readonly text: string }[];
  /** By hash: which transfer it brings back, as its network says. */
  readonly returns: Map<string, string>;
  /** What the signer has signed, by hash. */
  readonly signed: Map<string, SignOrder>;
  /** By hash: what the market took, and what it gave; undefined where it failed. */
  readonly exchanged: Map<
    string,
    { readonly exchange: Exchange; readonly got: Exchange['get'] | undefined }
  >;
  /** By hash: for which order of the house it was drafted. */
  readonly draftedFor: Map<string, string>;
  /** Drafted for the market and kept by a person, to be sent one day. */
  readonly kept: string[];
  /** What the signer was asked and should not have been. */
  readonly broken: string[];
  answersLost: number;
  answersRefused: number;
  /** Of conversions: under its own price. */
  pricesRefused: number;
};

export function openWallet(
  seed: number,
  since: Temporal.Instant,
  senders: ReadonlyMap<ChainId, Sending>,
): Wallet {
  return {
    since,
    random: seededRandom(1_000_000_007 + seed),
    marketRandom: seededRandom(2_000_000_011 + seed),
    senders,
    sent: new Map(),
    orders: new Map(),
    drawer: [],
    returns: new Map(),
    signed: new Map(),
    exchanged: new Map(),
    draftedFor: new Map(),
    kept: [],
    broken: [],
    answersLost: 0,
    answersRefused: 0,
    pricesRefused: 0,
  };
}
