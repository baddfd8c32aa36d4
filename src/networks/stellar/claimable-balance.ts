// Balances that wait to be claimed (CAP-23), as a transaction leaves or fetches one. Guarantees:
// the id is computed from what was signed, so nobody can name another one. Pure.
import { createHash } from 'node:crypto';
import type { xdr } from '@stellar/stellar-base';
import { stellar } from '#anchor/stellar-base.ts';
import type { ClaimableLeft } from '#deposit/network.ts';
import { requireThat } from '#networks/answer-fields.ts';

/** Type and hash in hexadecimal, as Horizon and wallets write it. */
export const CLAIMABLE_ID = /^0{8}[0-9a-f]{64}$/;

type Place = {
  /** G... of the transaction, whoever the operation is of. */
  readonly source: string;
  readonly sequence: xdr.SequenceNumber;
  /** Of the operation. */
  readonly index: number;
};

/** @throws NodeLie when the result names another balance than was left. */
export function balanceLeft(
  body: xdr.OperationBody,
  result: xdr.OperationResultTr,
  { operationSource, ...place }: Place & { readonly operationSource: string },
): ClaimableLeft | undefined {
  if (body.switch().name !== 'createClaimableBalance') return undefined;
  const id = idOf(place);
  const told = result.createClaimableBalanceResult().balanceId().toXDR('hex');
  requireThat(told === id, 'a claimable balance has another id than it says');
  const own = body
    .createClaimableBalanceOp()
    .claimants()
    .map((one) => one.v0())
    .find((one) => accountText(one.destination()) === operationSource);
  return { id, reclaimableAt: own === undefined ? undefined : notBefore(own.predicate()) };
}

/** The id of the one that the operation fetches. */
export function balanceFetched(body: xdr.OperationBody): string | undefined {
  if (body.switch().name !== 'claimClaimableBalance') return undefined;
  return body.claimClaimableBalanceOp().balanceId().toXDR('hex');
}

/** Not before a time, as we are named in what we leave; undefined of any other condition. */
export function notBefore(predicate: xdr.ClaimPredicate): Temporal.Instant | undefined {
  const inner =
    predicate.switch().name === 'claimPredicateNot' ? predicate.notPredicate() : undefined;
  if (inner?.switch().name !== 'claimPredicateBeforeAbsoluteTime') return undefined;
  const seconds = inner.absBefore().toBigInt();
  if (seconds <= 0n || seconds > LAST_SECOND) return undefined;
  return Temporal.Instant.fromEpochNanoseconds(seconds * 10n ** 9n);
}

/** Of the calendar. */
const LAST_SECOND = 8_640_000_000_000n;

function accountText(account: xdr.AccountId): string {
  return stellar.base.StrKey.encodeEd25519PublicKey(account.ed25519());
}

/** The hash of HashIDPreimage, ENVELOPE_TYPE_OP_ID (Stellar-transaction.x). */
function idOf({ source, sequence, index }: Place): string {
  const preimage = stellar.base.xdr.HashIdPreimage.envelopeTypeOpId(
    new stellar.base.xdr.HashIdPreimageOperationId({
      sourceAccount: stellar.base.Keypair.fromPublicKey(source).xdrAccountId(),
      seqNum: sequence,
      opNum: index,
    }),
  );
  const hash = createHash('sha256').update(preimage.toXDR()).digest();
  return stellar.base.xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(hash).toXDR('hex');
}
