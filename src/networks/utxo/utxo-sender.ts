// A PSBT that was drafted here and signed elsewhere: taken back, held against the payments it is
// for, and handed to the node, or to the servers in its place. What it may be is decided in
// read-signed-psbt.ts.
import { RawPSBTV0 } from '@scure/btc-signer/psbt.js';
import { assert } from '#base/assert.ts';
import type { DraftPayment, ReturnedDraft, Sender, SignedSending } from '#deposit/money-out.ts';
import { RpcFailure, requireThat } from '#networks/answer-fields.ts';
import { type AskedNodes, askForPerson } from '#networks/ask-nodes.ts';
import { notTaken } from '#networks/draft-terms.ts';
import { notSigned, requireAsOrdered } from '#networks/outgoing-payment.ts';
import { psbtOfTerms } from './draft-psbt.ts';
import { type CoreRpc, RPC_ALREADY_IN_CHAIN, RPC_METHOD_MISSING } from './json-rpc.ts';
import { outputScript } from './output-script.ts';
import { readSignedPsbt } from './read-signed-psbt.ts';
import type { UtxoChain } from './utxo-chain.ts';

export function utxoSender(chain: UtxoChain, asked: AskedNodes<CoreRpc>): Sender {
  return {
    readSigned: async (returned) => readSigned(chain, returned),
    broadcast: (sending) => askForPerson(asked, (rpc) => broadcast(rpc, sending)),
  };
}

function readSigned(chain: UtxoChain, { payments, terms, returned }: ReturnedDraft): SignedSending {
  const handedOut = psbtOfTerms(terms);
  requirePaid(handedOut, payments, chain);
  const read = readSignedPsbt(returned, handedOut, chain);
  if (!('refused' in read)) {
    const { raw, transaction } = read;
    return { signedTransaction: Buffer.from(raw).toString('hex'), transaction };
  }
  if (read.differs === true) requireAsOrdered(read.refused);
  throw notSigned(read.refused.join('; '));
}

/** Whoever changed what is kept of the draft cannot make another payment of it. */
function requirePaid(
  handedOut: Uint8Array,
  payments: readonly DraftPayment[],
  chain: UtxoChain,
): void {
  const outputs = RawPSBTV0.decode(handedOut).global.unsignedTx?.outputs ?? [];
  for (const [at, { account, units }] of payments.entries()) {
    const script = outputScript(account.address ?? '', chain) ?? new Uint8Array();
    const output = outputs[at];
    const isPaid = output?.amount === units && Buffer.from(script).equals(output.script);
    assert(isPaid, 'what is kept of a draft pays something else than was ordered');
  }
}

async function broadcast(
  rpc: CoreRpc,
  { signedTransaction, transaction }: SignedSending,
): Promise<void> {
  try {
    const taken = await rpc.call('sendrawtransaction', [signedTransaction]);
    requireThat(taken === transaction, `it was sent ${transaction} and names another transaction`);
  } catch (error) {
    if (!(error instanceof RpcFailure) || error.code === RPC_METHOD_MISSING) throw error;
    if (error.code === RPC_ALREADY_IN_CHAIN || (await isWaiting(rpc, transaction))) return;
    throw notTaken(error.said);
  }
}

async function isWaiting(rpc: CoreRpc, transaction: string): Promise<boolean> {
  try {
    await rpc.call('getmempoolentry', [transaction]);
    return true;
  } catch (error) {
    if (error instanceof RpcFailure) return false;
    throw error;
  }
}
