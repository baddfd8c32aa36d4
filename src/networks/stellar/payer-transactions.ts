// What a payer signs in his own wallet, put together by our node: one payment of exactly this to
// exactly this receiver with exactly this memo. No key of ours takes part. It is the payer's own
// transaction: his sequence number, his fee, and an end after which no ledger takes it.

import type { PayerDraft, PayerOrder, PayerTransactions } from '#deposit/network.ts';
import { requireFields } from '#networks/answer-fields.ts';
import { type AskedNodes, askForPerson } from '#networks/ask-nodes.ts';
import { notSendable } from '#networks/outgoing-payment.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import { type DraftSource, readBaseReserve, readStellarFee } from './draft-payment.ts';
import type { Horizon } from './horizon.ts';
import { requireInteger } from './horizon-fields.ts';
import { readOwnLumens } from './own-reserve.ts';
import { readAccount } from './read-account.ts';
import { readSignedName } from './signed-transaction.ts';
import { stellarAddress } from './stellar-payee.ts';
import { submitOnce } from './stellar-sender.ts';
import { buildTransaction } from './unsigned-transaction.ts';

const XLM = 'XLM:NATIVE';

type Source = Pick<DraftSource, 'parameters' | 'account'>;

export function stellarPayerTransactions(
  source: Source,
  asked: AskedNodes<Horizon>,
): PayerTransactions {
  const { passphrase } = source.parameters;
  return {
    draft: (order) => askForPerson(asked, (horizon) => draft(source, horizon, order)),
    nameOf: (signed) => readSignedName(signed, passphrase).transaction,
    send(signed) {
      const { envelope, transaction } = readSignedName(signed, passphrase);
      return askForPerson(asked, (horizon) => submitOnce(horizon, envelope, transaction));
    },
  };
}

async function draft(
  { parameters: chain, account: ours }: Source,
  horizon: Horizon,
  { account, receiver, assetId, units, until }: PayerOrder,
): Promise<PayerDraft> {
  if (stellarAddress('live:STELLAR', account) === undefined) {
    throw notSendable('what pays is no account (G...)');
  }
  if (account === ours) throw notSendable('an account does not pay itself');
  const { json } = await horizon.get(`/accounts/${account}`);
  if (json === undefined) return { short: { assetId, held: 0n, needed: units } };
  const { balances } = readAccount(json, account);
  const [feeUnits, baseReserveUnits] = await Promise.all([
    readStellarFee(horizon),
    readBaseReserve(horizon),
  ]);
  const { heldUnits, keptUnits } = readOwnLumens(json, baseReserveUnits);
  // What the ledger makes the account keep is not his to pay with.
  const lumens = heldUnits > keptUnits ? heldUnits - keptUnits : 0n;
  const needed = assetId === XLM ? units + feeUnits : feeUnits;
  if (lumens < needed) return { short: { assetId: XLM, held: lumens, needed } };
  const held = balances.get(assetId)?.units ?? 0n;
  if (held < units) return { short: { assetId, held, needed: units } };
  const sequence = requireInteger(requireFields(json, 'the account'), 'sequence') + 1n;
  const { address, memo, memoType } = receiver;
  const marks: ReceivingAccount = memo === undefined ? {} : { memo, memoType: memoType ?? 'text' };
  const payment = { network: 'STELLAR', assetId, units, account: { account: address, ...marks } };
  const built = buildTransaction({
    ...{ payment, chain, source: account, sequence, feeUnits, expiresAt: until },
    delivery: { by: 'payment' },
  });
  return {
    unsigned: built.toEnvelope().toXDR('base64'),
    transaction: built.hash().toString('hex'),
    networkName: chain.passphrase,
  };
}
