// Whether a receiver on an EVM chain gets what is sent, decided from what a node says of the
// receiver, of the token, and of the payment as if it were made now. What would fail, or arrive as
// less, is refused before anything is signed. Pure.

import { getAsset } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { OutgoingPayment } from '#networks/outgoing-payment.ts';

/** What a token would do; undefined of what it, or the node, does not say. */
export type TokenFacts = {
  readonly isPaused: boolean | undefined;
  readonly isSenderBlocked: boolean | undefined;
  readonly isReceiverBlocked: boolean | undefined;
  readonly trial: TransferTrial | undefined;
};

export type TransferTrial =
  | { readonly outcome: 'reverts' }
  /** The token answers `false` (ERC-20: callers must not assume that it never does). */
  | { readonly outcome: 'denied' }
  | { readonly outcome: 'moves'; readonly arrivingUnits: bigint };

type DeliveryFacts = {
  readonly payment: Pick<OutgoingPayment, 'network' | 'assetId' | 'units'>;
  readonly sender: string;
  readonly isContract: boolean;
  /** The operator knows the contract. */
  readonly isAllowed: boolean;
  /** Undefined of the coin of the chain. */
  readonly token: TokenFacts | undefined;
};

/** Why not, and what to do, in a sentence; undefined when nothing stands against it. */
export function decideEvmDelivery(facts: DeliveryFacts): string | undefined {
  const { payment, sender, isContract, isAllowed, token } = facts;
  const { assetCode } = getAsset(payment.assetId);
  if (isContract && !isAllowed) {
    return (
      'the receiver is a contract, which may never give out what it gets: ask for another ' +
      `address, or name it in ${payment.network}_CONTRACT_RECEIVERS when you know it`
    );
  }
  if (token === undefined) return undefined;
  if (token.isPaused === true) {
    return `${assetCode} is paused by its issuer, and nobody can move any: wait, or cancel it`;
  }
  if (token.isReceiverBlocked === true) {
    return `${assetCode} has the receiver on its blocklist: cancel it, and ask for another address`;
  }
  if (token.isSenderBlocked === true) {
    return `${assetCode} has ${sender} on its blocklist: send it --from another address of yours`;
  }
  return token.trial === undefined ? undefined : againstTrial(token.trial, payment);
}

function againstTrial(
  trial: TransferTrial,
  { assetId, units }: DeliveryFacts['payment'],
): string | undefined {
  const { assetCode, decimals } = getAsset(assetId);
  switch (trial.outcome) {
    case 'reverts':
      return 'the receiver, or the token, refuses this payment: it would fail';
    case 'denied':
      return `${assetCode} would answer that it moves nothing: wait, or cancel it`;
    case 'moves': {
      if (trial.arrivingUnits === units) return undefined;
      const [wanted, arriving] = [units, trial.arrivingUnits].map((one) =>
        amountToText(one, decimals),
      );
      return (
        `of ${wanted} ${assetCode} ${arriving} would arrive, since the token keeps the rest: ` +
        'cancel it, and pay in another asset'
      );
    }
  }
}
