// Whether somebody may let go what the brake of a chain holds, and for how long that counts. Pure.
//
// Guarantees: what was let go counts for the causes that were there then, each no worse, and for
// nothing else; a cause that speaks against the chain or the account itself is never let go. A
// release takes nothing from what a payment needs of its own (decide-finality.ts).

import type { BrakeCause } from '#deposit/network.ts';
import type { ChainStatus } from './chain-status.ts';

/** Undefined: a person may know better. Otherwise why not, as a sentence. */
const STAYS: Readonly<Record<BrakeCause['kind'], string | undefined>> = {
  'slow-blocks': undefined,
  'missing-statement': undefined,
  'competing-branch':
    'which blocks stand is not decided while two branches compete: it is over when one has lost',
  'wrong-statement':
    'the account is not what its statements say: ask the bank, and import the one that adds up',
};

/** Whether all that is wrong now was there when it was let go, and is no worse. */
export function isCovered(now: readonly BrakeCause[], released: readonly BrakeCause[]): boolean {
  return now.every(
    ({ kind, what, degree }) =>
      STAYS[kind] === undefined &&
      released.some((one) => one.kind === kind && one.what === what && degree <= one.degree),
  );
}

export type ReleaseFacts = {
  readonly status: Pick<ChainStatus, 'brake' | 'brakeCauses' | 'fault'> | undefined;
  readonly isBehind: boolean;
  /** How many payments are held. */
  readonly held: number;
};

export type ReleaseRefusal = { readonly code: string; readonly sentences: readonly string[] };

/** Why nothing may be let go; undefined: it may. */
export function refuseRelease(facts: ReleaseFacts): ReleaseRefusal | undefined {
  const { status, isBehind, held } = facts;
  if (status?.brake === undefined) return refusal('brake_off', 'the brake is not on');
  const { brakeCauses = [], fault } = status;
  if (fault !== undefined) {
    return refusal('brake_unheard', `the network stands still, nobody knows how it is: ${fault}`);
  }
  if (isBehind) {
    return refusal('brake_unheard', 'the network is behind or not heard, nobody knows how it is');
  }
  // An older version says why it is on, and not as causes.
  if (brakeSentence(brakeCauses) !== status.brake) {
    return refusal('brake_stays', `it is not known what this is: ${status.brake}`);
  }
  const staying = brakeCauses.filter(({ kind }) => STAYS[kind] !== undefined);
  if (staying.length > 0) {
    const sentences = staying.map(({ kind, reason }) => `${reason}: ${STAYS[kind]}`);
    return { code: 'brake_stays', sentences };
  }
  if (held === 0) return refusal('brake_holds_nothing', 'the brake holds no payment');
  return undefined;
}

function refusal(code: string, sentence: string): ReleaseRefusal {
  return { code, sentences: [sentence] };
}

const SAID_MOST = 3;

/** What is stored beside the causes and told everywhere; undefined: the brake is off. */
export function brakeSentence(causes: readonly BrakeCause[]): string | undefined {
  if (causes.length === 0) return undefined;
  const said = causes.slice(0, SAID_MOST).map(({ reason }) => reason);
  const more = causes.length - said.length;
  return [...said, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
