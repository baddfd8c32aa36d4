// What a payer has signed to pay us (EIP-3009), sent by an account that pays the gas alone.
// Guarantees: it is transferWithAuthorization of the ordered token, of the ordered amount, to an
// address below the extended key that the rules name; an account that the rules list for this signs
// nothing else but what takes the place of such a transaction and does nothing. So whoever owns the
// service can waste its gas, within the caps, and move nothing else. Not known here: whether the
// payer signed it; a token carries out nothing that he did not.

import { Refusal } from '#base/refusal.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { openEvmAccount } from '#networks/evm/derive-address.ts';
import { pinnedTokens } from '#networks/evm/evm-tokens.ts';
import { TRANSFER_WITH_AUTHORIZATION } from '#networks/evm/transfer-authorization.ts';
import type { EvmCall } from '#networks/evm/unsigned-transaction.ts';
import { differs, isFoundAgain, type ListedRelay, requireOnePayment } from '#signer/open-key.ts';
import type { SignOrder } from '#signer/sign-order.ts';

type Relayed = {
  readonly order: SignOrder;
  /** Who would send it, and what it would call. */
  readonly sender: string;
  readonly call: EvmCall;
};

/** Selector, and nine words: of them the second is who is paid, the third how much. */
const CALL = /^(0x[0-9a-f]{8})[0-9a-f]{64}0{24}([0-9a-f]{40})([0-9a-f]{64})[0-9a-f]{384}$/;

/** The call where it is as ordered; undefined of what relays nothing. @throws Refusal */
export function relayedCall(
  { order, sender, call }: Relayed,
  relays: readonly ListedRelay[],
): EvmCall | undefined {
  const { environment, network, kind } = order;
  const relay = relays.find(
    (one) =>
      one.environment === environment &&
      one.network === network &&
      one.account === sender.toLowerCase(),
  );
  if (kind !== 'RELAY') {
    if (relay === undefined || kind === 'CANCEL') return undefined;
    throw notListed(`${sender} is listed under relay, and pays nobody`);
  }
  if (relay === undefined) throw notListed(`no relay of the rules names ${sender} on ${network}`);
  const { assetId, units, account, index } = requireOnePayment(order);
  const { assetIssuer } = getAsset(assetId);
  const contract = assetIssuer.toLowerCase();
  const isToken = pinnedTokens(network).some((one) => one.contract === contract);
  if (assetIssuer === NATIVE_ISSUER || !isToken) throw differs(`${assetId} is no token there`);
  const receiver = (account.address ?? '').toLowerCase();
  if (index === undefined || !isFoundAgain(index) || !isBelow(relay, index, receiver)) {
    throw notListed(`${receiver} is no address below the extended key of the relay`);
  }
  const [, selector, to, amount = ''] = CALL.exec(call.data) ?? [];
  const isOrdered =
    call.to === contract &&
    call.value === 0n &&
    selector === TRANSFER_WITH_AUTHORIZATION &&
    `0x${to}` === receiver &&
    BigInt(`0x${amount}`) === units;
  if (!isOrdered) throw differs('it is no transferWithAuthorization of what was ordered');
  return call;
}

function isBelow({ receiversBelow }: ListedRelay, index: bigint, receiver: string): boolean {
  return openEvmAccount(receiversBelow).addressAt(index).toLowerCase() === receiver;
}

function notListed(sentence: string): Refusal {
  return new Refusal('conflict', 'relay_not_listed', sentence);
}
